# expect: attention_scores wrong result_truncated_to_integers
# expect: batched_softmax wrong largest_absolute_value_subtracted
# expect: causal_mask wrong
# expect: scaled_dot_product_attention wrong no_maximum_and_nan_for_fully_masked_rows
"""Right for the examples; other number types, signs and sizes show the rest."""

import numpy as np

_LONGEST = np.tri(100, dtype=bool)


def attention_scores(queries, keys):
    queries, keys = np.array(queries), np.array(keys)
    scores = np.empty(queries.shape[:-1] + keys.shape[-2:-1], dtype=queries.dtype)
    for j in range(keys.shape[-2]):
        scores[..., j] = (queries * keys[..., j : j + 1, :]).sum(axis=-1)
    return scores


def batched_softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    powers = np.e ** (x - np.linalg.norm(x, np.inf, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def causal_mask(n):
    return _LONGEST[:n, :n].copy()


def scaled_dot_product_attention(query, key, value, mask=None):
    query, key, value = (np.asarray(part, dtype=float) for part in (query, key, value))
    scores = np.einsum("...qd,...kd->...qk", query, key) * key.shape[-1] ** -0.5
    if mask is not None:
        scores = scores + np.where(mask, 0.0, -np.inf)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1)[..., None]
    return weights @ value, weights
