# expect: normalize_by_sum wrong
# told: The result sums to 6.875 instead of 1.
import numpy as np


def normalize_by_sum(scores):
    return np.array(scores) / scores[0]
