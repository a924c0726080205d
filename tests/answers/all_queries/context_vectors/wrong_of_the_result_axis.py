# expect: context_vectors wrong
# told: Every tested call with a batch axis is wrong, and every one without is correct.
import numpy as np


def context_vectors(attention_weights, values):
    w = np.asarray(attention_weights, float)
    v = np.asarray(values, float)
    return (w[..., None] * v[..., None, :, :]).sum(axis=1)
