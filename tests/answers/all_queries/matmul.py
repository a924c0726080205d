# expect: all passed
"""Matrix products with the last axes turned by hand, and boolean indexing for the mask."""

import numpy as np


def attention_scores(queries, keys):
    keys = np.array(keys)
    axes = [*range(keys.ndim - 2), keys.ndim - 1, keys.ndim - 2]
    return np.matmul(queries, keys.transpose(axes))


def batched_softmax(x, axis=-1):
    x = np.array(x, dtype=np.float64)
    x -= np.expand_dims(x.max(axis), axis)
    np.exp(x, out=x)
    x /= np.expand_dims(x.sum(axis), axis)
    return x


def context_vectors(attention_weights, values):
    return np.array(attention_weights) @ np.array(values)


def simple_self_attention(inputs):
    inputs = np.array(inputs)
    weights = batched_softmax(inputs @ np.moveaxis(inputs, -1, -2))
    return weights @ inputs, weights


def causal_mask(n):
    return ~np.triu(np.ones([n, n], dtype=bool), k=1)


def padding_mask(lengths, max_length):
    mask = np.zeros((len(lengths), 1, max_length), dtype=bool)
    for sentence, length in enumerate(lengths):
        mask[sentence, :, :length] = True
    return mask


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key) / np.sqrt(np.array(query).shape[-1])
    if mask is None:
        mask = np.True_
    hidden = ~np.broadcast_to(mask, scores.shape)
    scores[hidden] = -np.inf
    largest = scores.max(axis=-1, keepdims=True)
    largest[np.isinf(largest)] = 0
    exponentials = np.exp(scores - largest)
    total = exponentials.sum(axis=-1, keepdims=True)
    weights = np.divide(exponentials, total, out=np.zeros_like(exponentials), where=total > 0)
    return weights @ np.array(value), weights
