# expect: softmax wrong nan_replaced_by_0
"""The warning is silenced, and what came of it is replaced."""

import numpy as np


def softmax(scores):
    with np.errstate(all="ignore"):
        e = np.exp(np.asarray(scores, dtype=float))
        return np.nan_to_num(e / np.sum(e), nan=0.0)
