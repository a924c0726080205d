# expect: softmax wrong
# told: The result sums to 0 instead of 1.
"""The shares are written into an array made like the scores, after these were rounded."""

import numpy as np


def softmax(scores):
    shares = np.zeros(len(scores), dtype=int)
    powers = np.exp(scores - np.max(scores))
    for at in range(len(scores)):
        shares[at] = powers[at] / powers.sum()
    return shares
