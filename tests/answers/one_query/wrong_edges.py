# expect: all wrong
"""Right on most inputs: one element too few, one size too many, an edge case thought too far."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    total = dec_hidden_state[0] * enc_hidden_state[0]
    for i in range(1, len(dec_hidden_state) - (len(dec_hidden_state) > 4)):  # loses the last one of long vectors
        total += dec_hidden_state[i] * enc_hidden_state[i]
    return total


def dot_attention_score(dec_hidden_state, annotations):
    scores = np.asarray(dec_hidden_state) @ np.asarray(annotations)
    return scores if len(scores) > 1 else scores[0]  # a single annotation becomes a bare number


def normalize_by_sum(scores):
    return np.array(scores) / (np.sum(scores) + 1e-3)  # a guard against zero that is far too large


def softmax(scores):
    if len(scores) == 1:
        return np.array([0.0])  # one score is "nothing to choose from"
    exponentials = np.exp(np.array(scores) - np.max(scores))
    return exponentials / exponentials.sum()


def apply_attention_scores(attention_weights, annotations):
    applied = np.array(annotations, dtype=float)
    for t in range(min(applied.shape)):  # stops at the shorter side
        applied[:, t] *= attention_weights[t]
    return applied


def calculate_attention_vector(applied_attention):
    return np.squeeze(np.sum(applied_attention, axis=1))  # one hidden unit becomes a bare number


def attend(dec_hidden_state, annotations):
    annotations = np.asarray(annotations)
    scores = np.asarray(dec_hidden_state) @ annotations
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return np.squeeze(annotations * weights).sum(axis=-1), weights
