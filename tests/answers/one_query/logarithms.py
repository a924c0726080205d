# expect: all passed
"""Softmax by way of the logarithm of a sum that is shifted, done in place on copies, results as lists of arrays."""

import numpy as np


def _logsumexp(x):
    return np.logaddexp.reduce(x)


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    product = np.array(dec_hidden_state, dtype=float)
    product *= enc_hidden_state
    return np.array(product.sum())


def dot_attention_score(dec_hidden_state, annotations):
    scores = np.zeros(np.shape(annotations)[1])
    for unit, row in zip(dec_hidden_state, annotations, strict=True):
        scores += unit * np.asarray(row)
    return scores


def normalize_by_sum(scores):
    shares = np.array(scores, dtype=float, copy=True)
    shares /= shares.sum()
    return shares


def softmax(scores):
    shifted = np.asarray(scores, dtype=float) - np.max(scores)
    return np.exp(shifted - _logsumexp(shifted))


def apply_attention_scores(attention_weights, annotations):
    applied = np.array(annotations, dtype=float)
    for t, weight in enumerate(attention_weights):
        applied[:, t] *= weight
    return applied


def calculate_attention_vector(applied_attention):
    return [np.sum(row) for row in applied_attention]


def attend(dec_hidden_state, annotations):
    weights = softmax(dot_attention_score(dec_hidden_state, annotations))
    return [np.average(annotations, axis=1, weights=weights), list(weights)]
