# expect: all wrong
"""One place too far, an axis squeezed away, what was handed in overwritten, a row that may attend to nothing."""

import numpy as np


def attention_scores(queries, keys):
    return np.squeeze(np.asarray(queries, float) @ np.swapaxes(np.asarray(keys, float), -1, -2))


def batched_softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max())  # one maximum for all
    return e / (e.sum(axis=axis, keepdims=True) + 1e-12)


def context_vectors(attention_weights, values):
    weights = np.asarray(attention_weights, dtype=float)
    weights = weights / weights.sum(axis=-1, keepdims=True)  # they may not sum to 1, and then must not
    return np.float16(weights @ np.asarray(values, dtype=float))


def simple_self_attention(inputs):
    inputs = np.asarray(inputs, dtype=float)
    scores = inputs @ inputs.swapaxes(-1, -2)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    weights = np.triu(weights) + np.triu(weights, 1).swapaxes(-1, -2)  # "scores are symmetric, so weights are"
    return weights @ inputs, weights


def causal_mask(n):
    return np.tri(n, dtype=int)


def padding_mask(lengths, max_length):
    return np.arange(max_length)[None, None, :] <= np.asarray(lengths)[:, None, None]


def scaled_dot_product_attention(query, key, value, mask=None):
    query, key, value = (np.asarray(x, dtype=float) for x in (query, key, value))
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)  # a row that may attend to nothing attends to everything
    return weights @ value, weights
