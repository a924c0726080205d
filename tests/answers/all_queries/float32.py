# expect: all passed
"""Single precision where nothing depends on the last digits, with the smallest float32 as the fill."""

import numpy as np


def attention_scores(queries, keys):
    return np.float32(queries) @ np.float32(keys).swapaxes(-1, -2)


def batched_softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float64)
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def context_vectors(attention_weights, values):
    return np.asarray(attention_weights, np.float32) @ np.asarray(values, np.float32)


def simple_self_attention(inputs):
    tokens = np.float64(inputs)
    weights = batched_softmax(tokens @ tokens.swapaxes(-1, -2))
    return context_vectors(weights, inputs), weights


def causal_mask(n):
    return np.cumsum(np.eye(n, dtype=np.float32), axis=1).T > 0


def padding_mask(lengths, max_length):
    return (np.asarray(lengths, np.float32)[:, None] > np.arange(max_length))[:, None, :]


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.float64(query) @ np.float64(key).swapaxes(-1, -2) / np.sqrt(np.shape(query)[-1])
    if mask is not None:
        scores = np.where(mask, scores, np.finfo(np.float32).min)
    weights = batched_softmax(scores)
    if mask is not None:
        weights = np.where(mask, weights, np.float32(0))
    return context_vectors(weights, value), weights
