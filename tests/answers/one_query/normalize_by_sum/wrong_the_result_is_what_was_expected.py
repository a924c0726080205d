# expect: normalize_by_sum wrong
# told: The result is what was expected times one number, another one in other calls: by what is i
import numpy as np


def normalize_by_sum(scores):
    return np.array(scores) / scores[0]
