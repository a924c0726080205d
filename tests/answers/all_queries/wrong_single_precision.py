# expect: batched_softmax wrong scores_in_float32
# expect: simple_self_attention wrong
# expect: scaled_dot_product_attention wrong
"""Single precision on the way to the weights: the scores lose what tells them apart."""

import numpy as np


def batched_softmax(x, axis=-1):
    x = np.array(x, dtype="float32")
    powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)


def simple_self_attention(inputs):
    x = np.array(inputs, dtype="float32")
    weights = batched_softmax(x @ np.swapaxes(x, -1, -2))
    return weights @ x, weights


def scaled_dot_product_attention(query, key, value, mask=None):
    q, k, v = (np.array(each, dtype="float32") for each in (query, key, value))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    highest = np.max(scores, axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(highest), highest, 0))
    total = powers.sum(axis=-1, keepdims=True)
    weights = powers / np.where(total > 0, total, 1)
    return weights @ v, weights
