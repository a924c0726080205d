# expect: all passed
"""np.matrix, deprecated but right: a vector comes back as a matrix of one row, a number as one of one element."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return np.matrix(dec_hidden_state) * np.matrix(enc_hidden_state).T


def dot_attention_score(dec_hidden_state, annotations):
    return np.matrix(dec_hidden_state) * np.matrix(annotations)


def normalize_by_sum(scores):
    return np.matrix(scores) / np.sum(scores)


def softmax(scores):
    exponentials = np.exp(np.matrix(scores, dtype=float) - np.max(scores))
    return exponentials / exponentials.sum()


def apply_attention_scores(attention_weights, annotations):
    return np.multiply(np.matrix(annotations), np.matrix(attention_weights))


def calculate_attention_vector(applied_attention):
    return np.matrix(applied_attention).sum(axis=1).T


def attend(dec_hidden_state, annotations):
    weights = softmax(dot_attention_score(dec_hidden_state, annotations))
    return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights
