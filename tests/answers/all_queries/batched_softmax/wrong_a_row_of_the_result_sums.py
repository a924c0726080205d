# expect: batched_softmax wrong
# told: A row of the result sums to
import numpy as np


def batched_softmax(x, axis=-1):
    x = np.asarray(x, float)
    m = x.max(axis=axis, keepdims=True)
    s = x.sum(axis=axis, keepdims=True)
    return np.exp(x - m) / np.exp(s - m)
