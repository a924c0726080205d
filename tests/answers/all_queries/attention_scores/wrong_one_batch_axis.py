# expect: attention_scores raised
"""Transposes axes 1 and 2, for a batch only."""

import numpy as np


def attention_scores(queries, keys):
    queries, keys = np.asarray(queries, dtype=float), np.asarray(keys, dtype=float)
    if keys.ndim == 2:
        return queries @ keys.T
    return queries @ keys.transpose(0, 2, 1)
