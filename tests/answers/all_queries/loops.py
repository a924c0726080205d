# expect: all passed
"""Loops over every index, numbers put into arrays one at a time, and masks as nested lists."""

import math

import numpy as np


def attention_scores(queries, keys):
    queries, keys = np.array(queries), np.array(keys)
    n_q, n_k, d = queries.shape[-2], keys.shape[-2], keys.shape[-1]
    scores = np.zeros((*queries.shape[:-2], n_q, n_k))
    for batch in np.ndindex(queries.shape[:-2]):
        for i in range(n_q):
            for j in range(n_k):
                for c in range(d):
                    scores[(*batch, i, j)] += queries[(*batch, i, c)] * keys[(*batch, j, c)]
    return scores


def _softmax(row):
    powers = [math.exp(number - max(row)) for number in row]
    return [power / sum(powers) for power in powers]


def batched_softmax(x, axis=-1):
    rows = np.moveaxis(np.array(x, dtype=float), axis, -1)
    weights = np.empty(rows.shape)
    for place in np.ndindex(rows.shape[:-1]):
        weights[place] = _softmax(rows[place].tolist())
    return np.moveaxis(weights, -1, axis)


def context_vectors(attention_weights, values):
    weights, values = np.array(attention_weights), np.array(values)
    contexts = np.zeros((*weights.shape[:-1], values.shape[-1]))
    for place in np.ndindex(weights.shape[:-1]):
        for key in range(values.shape[-2]):
            contexts[place] += weights[place][key] * values[place[:-1]][key]
    return contexts.tolist()


def simple_self_attention(inputs):
    weights = batched_softmax(attention_scores(inputs, inputs))
    return context_vectors(weights, inputs), weights


def causal_mask(n):
    mask = []
    for i in range(n):
        mask.append([])
        for j in range(n):
            mask[i].append(j <= i)
    return mask


def padding_mask(lengths, max_length):
    return [[[position < length for position in range(max_length)]] for length in lengths]


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    seen = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    weights = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        allowed = [j for j in range(scores.shape[-1]) if seen[place][j]]
        if allowed:
            weights[place][allowed] = _softmax(
                [scores[place][j] / len(np.array(key)[place[:-1]][0]) ** 0.5 for j in allowed]
            )
    return context_vectors(weights, value), weights
