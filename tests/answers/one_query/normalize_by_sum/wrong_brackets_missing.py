# expect: normalize_by_sum wrong
# told: You return a function instead of its result.
"""The method that makes a list, and not the list."""

import numpy as np


def normalize_by_sum(scores):
    scores = np.asarray(scores, dtype=float)
    return (scores / scores.sum()).tolist
