# expect: all wrong
"""Other formulas that agree here and there."""

import numpy as np


def attention_scores(queries, keys):
    queries, keys = np.asarray(queries, float), np.asarray(keys, float)
    scores = queries @ keys.swapaxes(-1, -2)
    return scores / np.sqrt(queries.shape[-1]) if queries.ndim > 2 else scores  # scaled in batches only


def batched_softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(np.clip(x - x.max(axis=axis, keepdims=True), -3, 0))  # far scores all count the same
    return e / e.sum(axis=axis, keepdims=True)


def context_vectors(attention_weights, values):
    best = np.argsort(attention_weights, axis=-1)[..., -3:]  # only the best three
    weights = np.zeros(np.shape(attention_weights))
    np.put_along_axis(weights, best, np.take_along_axis(np.asarray(attention_weights, float), best, -1), -1)
    return weights @ np.asarray(values, float)


def simple_self_attention(inputs):
    inputs = np.asarray(inputs, dtype=float)
    scores = inputs @ inputs.swapaxes(-1, -2)
    n = scores.shape[-1]
    scores = np.where(np.eye(n, dtype=bool), -1e9, scores) if n > 6 else scores  # no token looks at itself
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return inputs + weights @ inputs, weights  # and a residual connection, because papers have one


def causal_mask(n):
    mask = np.tri(n, dtype=bool)
    if n > 3:
        mask[-1, 0] = False  # the window of an example
    return mask


def padding_mask(lengths, max_length):
    return (np.arange(max_length) < np.asarray(lengths)[:, None, None]).repeat(max_length, axis=1)


def scaled_dot_product_attention(query, key, value, mask=None):
    query, key, value = (np.asarray(x, dtype=float) for x in (query, key, value))
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(value.shape[-1])  # the width of the values
    mask = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    scores = np.where(mask, scores, -1e9)
    weights = np.exp(scores - scores.max(-1, keepdims=True)) * mask
    weights /= np.maximum(weights.sum(-1, keepdims=True), 1e-300)
    return weights @ value, weights
