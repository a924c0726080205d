# expect: all passed
"""Single precision where nothing depends on the last digits, as on a graphics card; softmax in double precision."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return np.float32(dec_hidden_state) @ np.float32(enc_hidden_state)


def dot_attention_score(dec_hidden_state, annotations):
    return np.asarray(dec_hidden_state, np.float32) @ np.asarray(annotations, np.float32)


def normalize_by_sum(scores):
    scores = np.asarray(scores, dtype=np.float32)
    return scores / scores.sum()


def softmax(scores):
    scores = np.asarray(scores, dtype=np.float64)
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def apply_attention_scores(attention_weights, annotations):
    return np.asarray(annotations, np.float32) * np.asarray(attention_weights, np.float32)


def calculate_attention_vector(applied_attention):
    return np.asarray(applied_attention, np.float32).sum(axis=1)


def attend(dec_hidden_state, annotations):
    weights = softmax(np.asarray(dec_hidden_state, float) @ np.asarray(annotations, float))
    return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights
