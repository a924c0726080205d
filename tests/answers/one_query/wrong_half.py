# expect: all wrong
"""Half precision, which keeps three digits; the values of the first example happen to fit."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return np.float16(np.dot(dec_hidden_state, enc_hidden_state))


def dot_attention_score(dec_hidden_state, annotations):
    return np.float16(np.asarray(dec_hidden_state) @ np.asarray(annotations))


def normalize_by_sum(scores):
    return np.float16(np.asarray(scores) / np.sum(scores))


def softmax(scores):
    exponentials = np.exp(np.asarray(scores, dtype=float) - np.max(scores))
    return np.float16(exponentials / exponentials.sum())


def apply_attention_scores(attention_weights, annotations):
    return np.float16(np.asarray(annotations) * np.asarray(attention_weights))


def calculate_attention_vector(applied_attention):
    return np.float16(np.sum(applied_attention, axis=1))


def attend(dec_hidden_state, annotations):
    annotations = np.asarray(annotations)
    scores = np.asarray(dec_hidden_state) @ annotations
    weights = np.exp(scores - scores.max())
    weights = np.float16(weights / weights.sum())
    return annotations @ weights, weights
