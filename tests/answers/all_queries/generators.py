# expect: all passed
"""Batches are walked by generators over np.ndindex, and rows are done with the standard library."""

import math

import numpy as np


def batches(*arrays):
    for place in np.ndindex(*arrays[0].shape[:-2]):
        yield tuple(array[place] for array in arrays)


def soft(row):
    row = [float(x) for x in row]
    top = max(row)
    powers = [math.exp(x - top) for x in row]
    total = math.fsum(powers)
    return [p / total for p in powers]


def attention_scores(queries, keys):
    q, k = np.asarray(queries, dtype=float), np.asarray(keys, dtype=float)
    tables = [[[math.fsum(map(float, a * b)) for b in ks] for a in qs] for qs, ks in batches(q, k)]
    return np.reshape(tables, (*q.shape[:-1], k.shape[-2]))


def batched_softmax(x, axis=-1):
    x = np.swapaxes(np.array(x, dtype=float), axis, -1)
    for place in np.ndindex(*x.shape[:-1]):
        x[place] = soft(x[place])
    return np.swapaxes(x, axis, -1)


def context_vectors(attention_weights, values):
    w, v = np.asarray(attention_weights, dtype=float), np.asarray(values, dtype=float)
    out = np.empty((*w.shape[:-1], v.shape[-1]))
    for place in np.ndindex(*w.shape[:-1]):
        out[place] = sum(weight * value for weight, value in zip(w[place], v[place[:-1]]))
    return out


def simple_self_attention(inputs):
    weights = batched_softmax(attention_scores(inputs, inputs), 0 - 1)
    return context_vectors(weights, inputs), weights


def triangle(n):
    for i in range(1, n + 1):
        yield np.repeat([True, False], [i, n - i])


def causal_mask(n):
    return np.vstack(list(triangle(n)))


def padding_mask(lengths, max_length):
    def rows():
        for length in lengths:
            yield [[True] * int(length) + [False] * (max_length - int(length))]

    return np.array(list(rows()), dtype=bool)


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key) / math.sqrt(np.shape(key)[-1])
    mask = np.broadcast_to(True if mask is None else mask, scores.shape)
    weights = np.zeros(scores.shape)
    for place in np.ndindex(*scores.shape[:-1]):
        seen = np.flatnonzero(mask[place])
        if seen.size:
            weights[place][seen] = soft(scores[place][seen])
    return context_vectors(weights, value), weights
