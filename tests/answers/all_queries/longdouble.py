# expect: all passed
"""Extended precision besides subtracting the maximum, results as lists, booleans as Python objects."""

import numpy as np


def _wide(x):
    return np.asarray(x, dtype=np.longdouble)


def attention_scores(queries, keys):
    return _wide(queries) @ np.swapaxes(_wide(keys), -1, -2)


def batched_softmax(x, axis=-1):
    e = np.exp(_wide(x) - np.amax(_wide(x), axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def context_vectors(attention_weights, values):
    return list(_wide(attention_weights) @ _wide(values))


def simple_self_attention(inputs):
    weights = batched_softmax(attention_scores(inputs, inputs))
    return context_vectors(weights, inputs), list(weights)


def causal_mask(n):
    return np.array([[j <= i for j in range(n)] for i in range(n)], dtype=object)


def padding_mask(lengths, max_length):
    return tuple(((True,) * int(length) + (False,) * (max_length - int(length)),) for length in lengths)


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key) / np.sqrt(np.longdouble(np.shape(query)[-1]))
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
        nothing = ~np.any(np.broadcast_to(mask, scores.shape), axis=-1, keepdims=True)
        weights = batched_softmax(np.where(nothing, 0, scores))
        weights = np.where(nothing, 0, weights)
    else:
        weights = batched_softmax(scores)
    return context_vectors(weights, value), weights
