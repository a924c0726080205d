# expect: normalize_by_sum wrong
# told: The result is what was expected times one number, another one in other calls: by what is i
import numpy as np


def normalize_by_sum(scores):
    total = 0
    for s in scores:
        total += s
        return np.array(scores) / total
