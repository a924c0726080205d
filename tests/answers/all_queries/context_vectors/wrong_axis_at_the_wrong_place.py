# expect: context_vectors wrong keys_added_up
import numpy as np


def context_vectors(attention_weights, values):
    w = np.array(attention_weights, dtype=float)
    v = np.array(values, dtype=float)
    return (w[..., :, :, None] * v[..., :, None, :]).sum(axis=-2)
