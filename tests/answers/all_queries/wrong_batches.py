# expect: attention_scores raised
# expect: batched_softmax wrong
# expect: context_vectors raised
# expect: simple_self_attention raised
# expect: causal_mask wrong
# expect: padding_mask wrong first_length_for_all
# expect: scaled_dot_product_attention raised
"""Right for one sentence only, or for sentences that are all alike."""

import numpy as np


def attention_scores(queries, keys):
    n_q, _ = np.shape(queries)
    return np.array([[np.dot(queries[i], key) for key in keys] for i in range(n_q)])


def batched_softmax(x, axis=-1):
    e = np.exp(np.array(x) - np.max(x, axis=-1, keepdims=True))  # the largest of each row, whatever the axis
    return e / e.sum(axis=axis if e.ndim == 2 else -1, keepdims=True)


def context_vectors(attention_weights, values):
    return np.einsum("qk,kd->qd", attention_weights, values)


def simple_self_attention(inputs):
    scores = np.einsum("id,jd->ij", inputs, inputs)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return weights @ np.asarray(inputs), weights


_masks = {}


def causal_mask(n):
    mask = _masks.setdefault("buffer", np.tri(64, dtype=bool))[:n, :n]
    mask[-1, 0] = False  # lasts until the next call
    return mask


def padding_mask(lengths, max_length):
    mask = np.zeros((len(lengths), 1, max_length), bool)
    mask[:, :, : lengths[0]] = True  # the first length for all
    return mask


def scaled_dot_product_attention(query, key, value, mask=None):
    _, d = np.shape(query)
    scores = np.array(query) @ np.array(key).T / np.sqrt(d)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return weights @ np.array(value), weights
