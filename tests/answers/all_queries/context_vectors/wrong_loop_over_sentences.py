# expect: context_vectors raised
"""Loop over the first axis as the batch, fails without or with two."""

import numpy as np


def context_vectors(attention_weights, values):
    w, v = np.asarray(attention_weights, dtype=float), np.asarray(values, dtype=float)
    if w.ndim == 2:
        return w @ v
    out = np.zeros((w.shape[0], w.shape[1], v.shape[2]))
    for b in range(w.shape[0]):
        out[b] = w[b] @ v[b]
    return out
