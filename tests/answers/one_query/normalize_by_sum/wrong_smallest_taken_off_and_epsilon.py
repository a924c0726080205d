# expect: normalize_by_sum wrong
# told: The result sums to 0.9996 instead of 1, but divided by its sum it would still be wrong
import numpy as np


def normalize_by_sum(scores):
    scores = np.array(scores, dtype=float)
    scores -= scores.min()
    return scores / (scores.sum() + 1e-3)
