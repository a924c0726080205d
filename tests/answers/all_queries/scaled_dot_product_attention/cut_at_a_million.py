# expect: scaled_dot_product_attention passed
import numpy as np


def scaled_dot_product_attention(query, key, value, mask=None):
    query, key = np.asarray(query, dtype=float), np.asarray(key, dtype=float)
    scores = np.clip(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), -1e6, 1e6)
    mask = np.True_ if mask is None else np.asarray(mask)
    scores = np.where(mask, scores, -np.inf)
    largest = scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isfinite(largest), largest, 0.0))
    total = exponentials.sum(axis=-1, keepdims=True)
    weights = np.divide(exponentials, total, out=np.zeros_like(exponentials), where=total > 0)
    return weights @ np.asarray(value, dtype=float), weights
