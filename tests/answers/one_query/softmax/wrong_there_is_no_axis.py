# expect: softmax raised
# told: There is no axis
import numpy as np


def softmax(scores):
    return np.exp(scores - np.max(scores)) / np.sum(np.exp(scores - np.max(scores)), axis=1)
