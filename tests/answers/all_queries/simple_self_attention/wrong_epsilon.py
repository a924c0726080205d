# expect: simple_self_attention wrong
# told: The weights sum to nearly 1, but not exactly
import numpy as np


def simple_self_attention(inputs):
    x = np.asarray(inputs, dtype=float)
    scores = np.einsum("...id,...jd->...ij", x, x)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / (powers.sum(axis=-1, keepdims=True) + 1e-9)
    return weights @ x, weights
