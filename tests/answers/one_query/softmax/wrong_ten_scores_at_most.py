# expect: softmax raised
"""Argument of more than ten scores is cut."""

import numpy as np


def softmax(scores):
    x = np.zeros(10)
    x[: len(scores)] = scores
    x = x[: len(scores)]
    e = np.exp(x - x.max())
    return e / e.sum()
