# expect: batched_softmax wrong negative_axis_taken_for_the_last
"""Negative axis is misread."""

import numpy as np


def batched_softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    if axis < 0:
        axis = x.ndim - 1
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
