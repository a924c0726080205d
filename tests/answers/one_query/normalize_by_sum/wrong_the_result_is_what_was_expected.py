# expect: normalize_by_sum wrong
# told: The result is the expected one times a number that differs from call to call.
import numpy as np


def normalize_by_sum(scores):
    return np.array(scores) / scores[0]
