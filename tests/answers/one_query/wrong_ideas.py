# expect: all wrong
"""Other formulas that agree here and there."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return abs(np.dot(dec_hidden_state, enc_hidden_state))


def dot_attention_score(dec_hidden_state, annotations):
    return np.maximum(np.asarray(dec_hidden_state) @ np.asarray(annotations), 0)


def normalize_by_sum(scores):
    scores = np.asarray(scores, dtype=float)
    return scores / abs(scores.sum())


def softmax(scores):
    # Stable below, but above 709 it gives up on the small ones and shares the rest evenly.
    scores = np.asarray(scores, dtype=float)
    if scores.max() > 709:
        chosen = np.isclose(scores, scores.max(), rtol=0.01)
        return chosen / chosen.sum()
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def apply_attention_scores(attention_weights, annotations):
    weights = np.asarray(attention_weights, dtype=float)
    return np.asarray(annotations) * weights / weights.sum()


def calculate_attention_vector(applied_attention):
    return np.abs(applied_attention).sum(axis=1)


def attend(dec_hidden_state, annotations):
    annotations = np.asarray(annotations)
    scores = np.asarray(dec_hidden_state) @ annotations
    weights = np.sort(np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum())
    return annotations[:, np.argsort(scores)] @ weights, weights  # the right context, weights in a new order
