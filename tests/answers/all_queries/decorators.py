# expect: all passed
"""Decorators convert arguments, and one of them makes a function of matrices work on any batch axes."""

import functools

import numpy as np


def arrays(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*(a if a is None else np.asarray(a, dtype=float) for a in args), **kwargs)

    return inner


def over_batches(function):
    """For matrices only -> for any batch axes in front."""

    @functools.wraps(function)
    def inner(a, b):
        if a.ndim == 2:
            return function(a, b)
        return np.stack([inner(one, other) for one, other in zip(a, b, strict=True)])

    return inner


@arrays
@over_batches
def attention_scores(queries, keys):
    return queries.dot(keys.T)


def batched_softmax(x, axis=-1):
    x = np.moveaxis(np.array(x, dtype=float), axis, 0)
    x = x - functools.reduce(np.maximum, x)
    np.exp(x, out=x)
    return np.moveaxis(x / functools.reduce(np.add, x), 0, axis)


@arrays
@over_batches
def context_vectors(attention_weights, values):
    return attention_weights.dot(values)


@arrays
def simple_self_attention(inputs):
    weights = batched_softmax(attention_scores(inputs, inputs))
    return context_vectors(weights, inputs), weights


@functools.lru_cache
def _triangle(n):
    return tuple(tuple(j <= i for j in range(n)) for i in range(n))


def causal_mask(n):
    return np.array(_triangle(int(n)))


def padding_mask(lengths, max_length):
    return np.stack([np.arange(max_length)[None] < length for length in lengths])


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key) * np.shape(query)[-1] ** -0.5
    seen = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    weights = batched_softmax(np.where(seen, scores, -1e300)) * seen
    return context_vectors(weights, value), weights
