# expect: batched_softmax raised axis_lost
"""Maximum and sum without their axis, as functions and with the axis by position."""

import numpy as np


def batched_softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    exponentials = np.exp(np.subtract(x, np.max(x, axis)))
    return np.divide(exponentials, np.sum(exponentials, axis))
