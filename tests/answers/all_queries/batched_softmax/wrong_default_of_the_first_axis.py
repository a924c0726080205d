# expect: batched_softmax wrong
# told: Of the calls tried, those that are wrong all lack an argument axis, and all with one are right
"""The default axis is the first one."""

import numpy as np


def batched_softmax(x, axis=0):
    powers = np.exp(x - np.max(x, axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)
