# expect: batched_softmax wrong
# told: Every column of the result sums to
"""The default axis is the first one."""

import numpy as np


def batched_softmax(x, axis=0):
    powers = np.exp(x - np.max(x, axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)
