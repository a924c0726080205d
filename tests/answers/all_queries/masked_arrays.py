# expect: all passed
"""NumPy's masked arrays, whose own True means hidden."""

import numpy as np
import numpy.ma as ma


def attention_scores(queries, keys):
    return np.vectorize(np.dot, signature="(d),(d)->()")(np.expand_dims(queries, -2), np.expand_dims(keys, -3))


def batched_softmax(x, axis=-1):
    def softmax(row):
        row = np.exp(row - row.max())
        return row / row.sum()

    return np.apply_along_axis(softmax, axis, np.asarray(x, dtype=float))


def context_vectors(attention_weights, values):
    return np.matmul(attention_weights, values)


def simple_self_attention(inputs):
    weights = batched_softmax(attention_scores(inputs, inputs))
    return (context_vectors(weights, inputs), weights)


def causal_mask(n):
    row = np.arange(n)
    return row[None, :] <= row[:, None]


def padding_mask(lengths, max_length):
    mask = ma.array(np.ones((len(lengths), max_length), bool))
    for row, length in zip(mask, lengths, strict=True):
        row[length:] = False
    return mask.data[:, np.newaxis, :]


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key) / np.sqrt(len(np.asarray(query).T))
    hidden = False if mask is None else np.broadcast_to(~mask, scores.shape)
    scores = ma.masked_array(scores, hidden)
    exponentials = ma.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = (exponentials / exponentials.sum(axis=-1, keepdims=True)).filled(0.0)
    return context_vectors(weights, value), weights
