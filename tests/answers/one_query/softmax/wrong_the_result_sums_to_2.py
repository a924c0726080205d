# expect: softmax wrong
# told: The result is the expected one times a number that differs from call to call.
import numpy as np


def softmax(scores):
    s = np.array(scores)
    e = np.exp(s - s.max())
    return e / (e.sum() + 1e-3)
