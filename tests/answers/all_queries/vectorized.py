# expect: all passed
"""np.vectorize with signatures, np.apply_along_axis, np.fromfunction and np.ma.notmasked rules."""

import numpy as np

score = np.vectorize(lambda q, k: np.inner(q, k), signature="(i,d),(j,d)->(i,j)", otypes=[float])
mix = np.vectorize(np.dot, signature="(i,j),(j,d)->(i,d)", otypes=[float])


def one_softmax(row):
    powers = np.exp(row - row.max())
    return powers / powers.sum()


def attention_scores(queries, keys):
    return score(queries, keys)


def batched_softmax(x, axis=-1):
    return np.apply_along_axis(one_softmax, axis, np.asarray(x, dtype=float))


def context_vectors(attention_weights, values):
    return mix(attention_weights, values)


def simple_self_attention(inputs):
    weights = np.apply_along_axis(one_softmax, -1, score(inputs, inputs))
    return mix(weights, inputs), weights


def causal_mask(n):
    return np.fromfunction(lambda i, j: j <= i, (n, n), dtype=int)


def padding_mask(lengths, max_length):
    inside = np.vectorize(lambda length, place: place < length, otypes=[bool])
    return inside(np.asarray(lengths)[:, None, None], np.arange(max_length)[None, None, :])


def masked_row(scores, seen):
    weights = np.zeros(scores.shape)
    if seen.any():
        weights[seen] = one_softmax(scores[seen])
    return weights


masked = np.vectorize(masked_row, signature="(j),(j)->(j)", otypes=[float])


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = score(query, key) / np.sqrt(np.shape(query)[-1])
    weights = masked(scores, np.broadcast_to(np.True_ if mask is None else mask, scores.shape))
    return mix(weights, value), weights
