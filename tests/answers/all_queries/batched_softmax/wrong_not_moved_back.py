# expect: batched_softmax wrong
"""Result is not moved back."""

import numpy as np


def batched_softmax(x, axis=-1):
    y = np.moveaxis(np.array(x, dtype=np.float64), axis, -1)
    y = y - y.max(-1, keepdims=True)
    y = np.exp(y)
    y = y / y.sum(-1, keepdims=True)
    return y
