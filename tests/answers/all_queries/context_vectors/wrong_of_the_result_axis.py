# expect: context_vectors wrong
# told: The result is wrong in all tested calls with a batch axis, and correct in all others.
import numpy as np


def context_vectors(attention_weights, values):
    w = np.asarray(attention_weights, float)
    v = np.asarray(values, float)
    return (w[..., None] * v[..., None, :, :]).sum(axis=1)
