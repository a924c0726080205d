# expect: all passed
"""Complex numbers on the way: masks are imaginary, softmax is the real part of an exponential."""

import numpy as np


def cx(a):
    return np.asarray(a).astype(np.complex128)


def attention_scores(queries, keys):
    return (cx(queries) @ np.conj(np.swapaxes(cx(keys), -1, -2))).real


def batched_softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    z = np.exp(cx(x - np.max(x, axis, keepdims=True)))
    return (z / z.sum(axis, keepdims=True)).real


def context_vectors(attention_weights, values):
    return np.real(cx(attention_weights) @ cx(values))


def simple_self_attention(inputs):
    weights = batched_softmax(attention_scores(inputs, inputs))
    return context_vectors(weights, inputs), weights


def causal_mask(n):
    steps = np.arange(n)
    return np.imag(1j * (steps[:, None] - steps)) >= 0


def padding_mask(lengths, max_length):
    places = np.arange(max_length) + 0.5j
    return places.real[None, None] < np.reshape(lengths, (-1, 1, 1))


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key) / np.sqrt(np.shape(key)[-1] + 0j).real
    if mask is None:
        weights = batched_softmax(scores)
    else:
        scores, mask = np.broadcast_arrays(scores, mask)
        top = np.where(mask, scores, -np.inf).max(-1, keepdims=True)
        powers = np.where(mask, np.exp(np.where(mask, scores - np.where(np.isinf(top), 0, top), 0)), 0)
        sums = powers.sum(-1, keepdims=True)
        weights = powers / np.where(sums == 0, 1, sums)
    return context_vectors(weights, value), weights
