# expect: all passed
"""Weights are made in log space, exp(x - logsumexp(x)), and masks are logarithms of 1 and 0."""

import numpy as np


def attention_scores(queries, keys):
    return np.sum(np.expand_dims(queries, -2) * np.expand_dims(keys, -3), axis=-1)


def log_softmax(x, axis):
    top = np.max(x, axis=axis, keepdims=True)
    with np.errstate(divide="ignore"):
        return x - (top + np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True)))


def batched_softmax(x, axis=-1):
    return np.exp(log_softmax(np.asarray(x, dtype=np.float64), axis))


def context_vectors(attention_weights, values):
    return np.sum(np.expand_dims(attention_weights, -1) * np.expand_dims(values, -3), axis=-2)


def simple_self_attention(inputs):
    scores = attention_scores(inputs, inputs)
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    return np.asarray(weights) @ np.asarray(inputs), weights


def causal_mask(n):
    return np.log2(np.tri(n) + 1) > 0.5


def padding_mask(lengths, max_length):
    return np.tri(max_length + 1, max_length, -1, dtype=bool)[np.asarray(lengths)][:, None]


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key) / np.exp(0.5 * np.log(np.shape(key)[-1]))
    if mask is not None:
        with np.errstate(divide="ignore"):
            scores = scores + np.log(np.asarray(mask, dtype=float))
    top = np.maximum(scores.max(axis=-1, keepdims=True), -1e308)
    powers = np.exp(scores - top)
    weights = powers / np.maximum(powers.sum(axis=-1, keepdims=True), np.finfo(float).tiny)
    return weights @ np.asarray(value), weights
