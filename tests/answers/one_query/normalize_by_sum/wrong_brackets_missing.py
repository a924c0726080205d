# expect: normalize_by_sum wrong
# told: What came back is a function: perhaps the brackets that call it are missing.
"""The method that makes a list, and not the list."""

import numpy as np


def normalize_by_sum(scores):
    scores = np.asarray(scores, dtype=float)
    return (scores / scores.sum()).tolist
