# expect: all passed
# ruff: noqa: E731
"""Annotated, with named results and parameters of its own; small ones are lambdas and partials."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Attention(NamedTuple):
    output: Floats
    weights: Floats


swap = functools.partial(np.swapaxes, axis1=-2, axis2=-1)
attention_scores = lambda q, k, scale=1.0: scale * np.matmul(np.asarray(q, float), swap(np.asarray(k, float)))
context_vectors = np.matmul


def batched_softmax(x: ArrayLike, axis: int = -1, *, where: ArrayLike = True, temperature: float = 1.0) -> Floats:
    x = np.asarray(x, float) / temperature
    x = np.where(where, x, -np.inf)
    top = np.max(x, axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0.0))
    return e / np.maximum(e.sum(axis=axis, keepdims=True), np.finfo(float).tiny)


def simple_self_attention(inputs: ArrayLike) -> Attention:
    weights = batched_softmax(attention_scores(inputs, inputs))
    return Attention(context_vectors(weights, inputs), weights)


def causal_mask(n: int, *, diagonal: int = 0) -> NDArray[np.bool_]:
    return np.greater_equal(*np.indices((n, n)))


def padding_mask(lengths: ArrayLike, max_length: int) -> NDArray[np.bool_]:
    return np.stack([np.r_[np.ones(n, bool), np.zeros(max_length - n, bool)][None] for n in lengths])


def scaled_dot_product_attention(
    query: ArrayLike, key: ArrayLike, value: ArrayLike, mask: ArrayLike | None = None, dropout: float = 0.0
) -> Attention:
    print("attending", np.shape(query), np.shape(key))
    scores = attention_scores(query, key, scale=1 / np.sqrt(np.shape(key)[-1]))
    weights = batched_softmax(scores, where=True if mask is None else mask)
    return Attention(context_vectors(weights, value), weights)
