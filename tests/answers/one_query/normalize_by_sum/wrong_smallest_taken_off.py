# expect: normalize_by_sum wrong smallest_subtracted_first
import numpy as np


def normalize_by_sum(scores):
    s = np.asarray(scores, dtype=float)
    return (s - s.min()) / (s - s.min()).sum()
