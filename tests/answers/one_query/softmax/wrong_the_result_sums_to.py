# expect: softmax wrong
# told: The result sums to
import numpy as np


def softmax(scores):
    scores = np.array(scores)
    e = np.exp(scores - np.max(scores))
    return e / scores.sum()
