# expect: scaled_dot_product_attention wrong
# plain: for output, expected shape (2, 3, 6).
"""An axis of heads is put into masks that have one."""

import numpy as np


def attention_scores(queries, keys):
    return np.asarray(queries) @ np.swapaxes(keys, -1, -2)


def batched_softmax(x, axis=-1):
    powers = np.exp(x - np.max(x, axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key) / np.sqrt(np.shape(key)[-1])
    if mask is not None:
        mask = mask[:, None] if mask.ndim > 2 else mask
        scores = np.where(mask, scores, -1e300)
    weights = batched_softmax(scores) * (1 if mask is None else np.broadcast_to(mask, scores.shape))
    return weights @ np.array(value), weights
