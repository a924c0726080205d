# expect: all passed
"""Ported from a program whose tokens are columns: everything is transposed on the way in and out."""

import numpy as np


def T(a):
    return np.swapaxes(np.asarray(a), -1, -2)


def attention_scores(queries, keys):
    Q, K = T(queries), T(keys)  # (..., d, n)
    return T(T(K) @ Q)


def batched_softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.double, order="F")
    axis = axis + x.ndim if axis < 0 else axis
    order = [a for a in range(x.ndim) if a != axis]
    flat = x.transpose([axis, *order]).reshape(x.shape[axis], -1)
    e = np.exp(flat - flat.max(0))
    e = (e / e.sum(0)).reshape([x.shape[axis], *(x.shape[a] for a in order)])
    return e.transpose(np.argsort([axis, *order]))


def context_vectors(attention_weights, values):
    return T(T(values) @ T(attention_weights))


def simple_self_attention(inputs):
    weights = T(batched_softmax(T(attention_scores(inputs, inputs)), axis=-2))
    return context_vectors(weights, inputs), weights


def causal_mask(n):
    later = np.zeros((n, n), dtype=bool, order="F")
    later[np.triu_indices(n)] = True
    return later.T


def padding_mask(lengths, max_length):
    return np.transpose(np.arange(max_length)[:, None, None] < np.asarray(lengths)[None, None, :], (2, 1, 0))


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = T(np.asarray(key) @ T(query)) / np.sqrt(T(key).shape[-2])
    hidden = np.zeros((), bool) if mask is None else np.logical_not(mask)
    scores = np.where(hidden, -1e30, scores)
    weights = np.where(hidden, 0, batched_softmax(scores))
    return context_vectors(weights, value), weights
