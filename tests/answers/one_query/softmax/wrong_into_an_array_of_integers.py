# expect: softmax wrong
# told: The result is 0 everywhere.
"""The shares are written into an array made like the scores, after these were rounded."""

import numpy as np


def softmax(scores):
    shares = np.zeros(len(scores), dtype=int)
    powers = np.exp(scores - np.max(scores))
    for at in range(len(scores)):
        shares[at] = powers[at] / powers.sum()
    return shares
