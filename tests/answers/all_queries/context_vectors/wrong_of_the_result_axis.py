# expect: context_vectors wrong
# told: All tested calls with a batch axis are wrong, and all others are correct.
import numpy as np


def context_vectors(attention_weights, values):
    w = np.asarray(attention_weights, float)
    v = np.asarray(values, float)
    return (w[..., None] * v[..., None, :, :]).sum(axis=1)
