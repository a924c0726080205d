# expect: context_vectors wrong
# plain: returned shape (2, 5, 6), expected shape (2, 3, 6).
import numpy as np


def context_vectors(attention_weights, values):
    w = np.asarray(attention_weights, float)
    v = np.asarray(values, float)
    return (w[..., None] * v[..., None, :, :]).sum(axis=1)
