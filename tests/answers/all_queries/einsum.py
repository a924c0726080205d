# expect: all passed
"""Einstein's way, with -inf for what is hidden and NaN cleaned up behind it."""

import numpy as np


def attention_scores(queries, keys):
    return np.einsum("...qd,...kd->...qk", queries, keys)


def batched_softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def context_vectors(w, v):
    return np.einsum("...qk,...kd->...qd", w, v)


def simple_self_attention(x):
    w = batched_softmax(np.einsum("...id,...jd->...ij", x, x))
    return [np.einsum("...ij,...jd->...id", w, x), w]


def causal_mask(n):
    return np.tri(n, dtype=bool)


def padding_mask(lengths, max_length):
    return np.less.outer(np.arange(max_length), lengths).T[:, None]


def scaled_dot_product_attention(q, k, v, mask=None):
    q, k, v = map(np.asarray, (q, k, v))
    scores = np.einsum("...qd,...kd->...qk", q, k) * k.shape[-1] ** -0.5
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.nan_to_num(batched_softmax(scores))
    return np.einsum("...qk,...kd->...qd", weights, v), weights
