# expect: softmax wrong
# told: instead of 1.
import numpy as np


def softmax(scores):
    s = np.array(scores)
    e = np.exp(s - s.max())
    return e / (e.sum() + 1e-3)
