# expect: normalize_by_sum wrong
# plain: returned a builtin_function_or_method object, expected numbers.
"""The method that makes a list, and not the list."""

import numpy as np


def normalize_by_sum(scores):
    scores = np.asarray(scores, dtype=float)
    return (scores / scores.sum()).tolist
