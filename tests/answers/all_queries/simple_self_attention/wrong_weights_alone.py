# expect: simple_self_attention wrong
# plain: returned one array of shape (6, 6), expected 2 results
"""The weights, and no context."""

import numpy as np


def attention_scores(queries, keys):
    return np.asarray(queries) @ np.swapaxes(keys, -1, -2)


def batched_softmax(x, axis=-1):
    powers = np.exp(x - np.max(x, axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def simple_self_attention(inputs):
    return batched_softmax(attention_scores(inputs, inputs))
