# expect: batched_softmax wrong maximum_along_the_last_axis
import numpy as np


def batched_softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    powers = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)
