# expect: all passed
"""Softmax as exp(x - logsumexp(x)), as SciPy had it for years, and products by logarithms of sizes."""

import numpy as np


def product(a, b):
    a, b = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.exp(np.log(np.abs(a)) + np.log(np.abs(b)))
    return np.where((a == 0) | (b == 0), 0.0, np.sign(a) * np.sign(b) * size)


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return product(dec_hidden_state, enc_hidden_state).sum()


def dot_attention_score(dec_hidden_state, annotations):
    return product(np.reshape(dec_hidden_state, (-1, 1)), annotations).sum(0)


def normalize_by_sum(scores):
    scores = np.asarray(scores, dtype=float)
    with np.errstate(divide="ignore"):
        return np.sign(scores) * np.sign(scores.sum()) * np.exp(np.log(np.abs(scores)) - np.log(np.abs(scores.sum())))


def logsumexp(x):
    return np.log(np.sum(np.exp(x - np.max(x)))) + np.max(x)


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    return np.exp(scores - logsumexp(scores))


def apply_attention_scores(attention_weights, annotations):
    return product(annotations, attention_weights)


def calculate_attention_vector(applied_attention):
    return np.diff(np.cumsum(applied_attention, axis=1)[:, -1], prepend=0).cumsum()


def attend(dec_hidden_state, annotations):
    scores = np.dot(dec_hidden_state, annotations)
    weights = np.exp(scores - np.logaddexp.reduce(scores))
    return np.dot(annotations, weights), weights
