# expect: batched_softmax wrong one_sum_and_a_maximum_for_each
import numpy as np


def batched_softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum()
