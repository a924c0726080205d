# expect: scaled_dot_product_attention wrong
# like: ../loops.py
"""Mask fills in place of the caller's mask: changes it."""

import numpy as np


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key) / np.sqrt(np.shape(key)[-1])
    if mask is None:
        weights = batched_softmax(scores)
    else:
        rows = mask.any(axis=-1)
        mask[~rows] = True
        weights = np.where(rows[..., None], batched_softmax(np.where(mask, scores, -1e300)), 0.0)
    return context_vectors(weights, value), weights
