# expect: simple_self_attention wrong
# plain: for context, expected
import numpy as np


def simple_self_attention(inputs):
    inputs = np.asarray(inputs, dtype=float)
    scores = inputs @ np.swapaxes(inputs, -1, -2)
    exponentials = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights = exponentials / exponentials.sum(axis=0, keepdims=True)
    return weights @ inputs, weights
