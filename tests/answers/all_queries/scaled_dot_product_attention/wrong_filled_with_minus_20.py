# expect: scaled_dot_product_attention wrong
# like: ../loops.py
"""Weights of hidden keys are tiny and not 0 by a fill of -20."""

import numpy as np


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key) / np.sqrt(np.shape(key)[-1])
    if mask is not None:
        scores = np.where(mask, scores, -20.0)
    weights = batched_softmax(scores)
    if mask is not None:
        weights = weights * np.any(mask, axis=-1, keepdims=True)
    return context_vectors(weights, value), weights
