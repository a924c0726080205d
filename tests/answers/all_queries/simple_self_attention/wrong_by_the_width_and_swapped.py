# expect: simple_self_attention wrong
# told: The shapes would be correct if the two results were swapped.
import numpy as np


def simple_self_attention(inputs):
    x = np.asarray(inputs, dtype=float)
    scores = x @ np.swapaxes(x, -1, -2) / x.shape[-1]
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights, weights @ x
