# expect: all passed
"""NumPy by a star, short names, and everything in one line each."""

from math import *

from numpy import *


def attention_scores(Q, K):
    return matmul(array(Q), array(K).swapaxes(-2, -1))


def batched_softmax(x, axis=-1):
    x = array(x, dtype=float64)
    x -= x.max(axis=axis, keepdims=True)
    return exp(x) / exp(x).sum(axis=axis, keepdims=True)


def context_vectors(A, V):
    return matmul(A, V)


def simple_self_attention(X):
    A = batched_softmax(attention_scores(X, X))
    return A @ array(X), A


def causal_mask(n):
    return ~triu(ones((n, n), dtype=bool), 1)


def padding_mask(lengths, max_length):
    return less(arange(max_length), array(lengths)[:, newaxis, newaxis])


def scaled_dot_product_attention(Q, K, V, M=None):
    S = attention_scores(Q, K) / sqrt(array(Q).shape[-1])
    if M is not None:
        S = where(M, S, -finfo(float64).max)
    A = batched_softmax(S)
    if M is not None:
        A = A * M
    return A @ V, A
