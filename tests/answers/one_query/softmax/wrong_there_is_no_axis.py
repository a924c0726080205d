# expect: softmax raised
# told: -dimensional, so it has no axis
import numpy as np


def softmax(scores):
    return np.exp(scores - np.max(scores)) / np.sum(np.exp(scores - np.max(scores)), axis=1)
