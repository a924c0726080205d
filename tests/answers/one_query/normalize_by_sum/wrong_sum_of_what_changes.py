# expect: normalize_by_sum wrong sum_of_an_array_that_changes
"""Sums while the list changes under it."""

import numpy as np


def normalize_by_sum(scores):
    out = np.array(scores, dtype=float)
    for i in range(len(out)):
        out[i] = out[i] / out.sum()
    return out
