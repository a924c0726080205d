# expect: batched_softmax wrong nan_replaced_by_0
"""Nan_to_num hides what overflowed."""

import numpy as np


def batched_softmax(x, axis=-1):
    e = np.exp(np.asarray(x, dtype=float))
    return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))
