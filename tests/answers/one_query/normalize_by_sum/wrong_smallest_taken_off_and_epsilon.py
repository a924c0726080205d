# expect: normalize_by_sum wrong
import numpy as np


def normalize_by_sum(scores):
    scores = np.array(scores, dtype=float)
    scores -= scores.min()
    return scores / (scores.sum() + 1e-3)
