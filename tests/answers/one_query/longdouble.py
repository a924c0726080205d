# expect: all passed
"""Extended precision besides subtracting the maximum, which is what makes it right."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return np.dot(np.longdouble(dec_hidden_state), np.longdouble(enc_hidden_state))


def dot_attention_score(dec_hidden_state, annotations):
    return np.longdouble(dec_hidden_state) @ np.longdouble(annotations)


def normalize_by_sum(scores):
    scores = np.asarray(scores, dtype=np.longdouble)
    return scores / scores.sum()


def softmax(scores):
    scores = np.asarray(scores, dtype=np.longdouble)
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def apply_attention_scores(attention_weights, annotations):
    return np.longdouble(annotations) * np.longdouble(attention_weights)


def calculate_attention_vector(applied_attention):
    return np.longdouble(applied_attention).sum(axis=1)


def attend(dec_hidden_state, annotations):
    weights = softmax(dot_attention_score(dec_hidden_state, annotations))
    return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights
