# expect: all wrong
"""Nearly right numbers: half precision, rounding, integers, a clumsy epsilon."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return int(np.dot(dec_hidden_state, enc_hidden_state))


def dot_attention_score(dec_hidden_state, annotations):
    return np.array(np.asarray(dec_hidden_state) @ np.asarray(annotations), dtype=np.float16)


def normalize_by_sum(scores):
    return np.round(np.array(scores) / np.sum(scores), 4)


def softmax(scores):
    exponentials = np.exp(np.asarray(scores, dtype=np.float16) - np.float16(np.max(scores)))
    return exponentials / exponentials.sum()


def apply_attention_scores(attention_weights, annotations):
    return np.array(annotations, dtype=int) * np.array(attention_weights)


def calculate_attention_vector(applied_attention):
    return np.round(np.sum(applied_attention, axis=1), 2)


def attend(dec_hidden_state, annotations):
    annotations = np.asarray(annotations)
    scores = np.asarray(dec_hidden_state) @ annotations
    weights = np.exp(scores - scores.max())
    weights = weights / (weights.sum() + 1e-3)
    return annotations @ weights, weights
