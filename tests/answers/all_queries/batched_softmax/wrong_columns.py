# expect: batched_softmax wrong
# told: Every column of the result sums to
"""Down the columns, whatever the axis."""

import numpy as np


def batched_softmax(x, axis=-1):
    x = np.asarray(x)
    powers = np.exp(x - np.max(x, axis, keepdims=True))
    return powers / powers.sum(1 if x.ndim > 1 else 0, keepdims=True)
