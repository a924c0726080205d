# expect: batched_softmax passed
import numpy as np


def batched_softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    top = np.max(x, axis, keepdims=True)
    logarithm = top + np.log(np.sum(np.exp(x - top), axis, keepdims=True))
    return np.exp(x - logarithm)
