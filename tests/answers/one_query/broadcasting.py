# expect: all passed
"""Columns and rows lined up by hand, axes added and taken away again."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    row, column = np.array(dec_hidden_state)[None, :], np.array(enc_hidden_state)[:, None]
    return row @ column  # shape (1, 1): one number


def dot_attention_score(dec_hidden_state, annotations):
    state = np.expand_dims(np.asarray(dec_hidden_state), 1)
    return np.add.reduce(state * annotations, axis=0)


def normalize_by_sum(scores):
    scores = np.array(scores).reshape(1, -1)
    return (scores / scores.sum(axis=1, keepdims=True)).squeeze(0)


def softmax(scores):
    scores = np.array(scores, dtype="float64")[:, np.newaxis]
    scores -= scores.max(axis=0, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=0, keepdims=True)
    return scores.ravel()


def apply_attention_scores(attention_weights, annotations):
    return (np.asarray(annotations).T * np.asarray(attention_weights)[:, None]).T


def calculate_attention_vector(applied_attention):
    return np.cumsum(applied_attention, axis=1)[:, -1]


def attend(dec_hidden_state, annotations):
    state, columns = np.asarray(dec_hidden_state), np.asarray(annotations)
    weights = softmax((state[:, None] * columns).sum(0))
    return (columns * weights[None, :]).sum(-1), weights
