# expect: all wrong
"""The right numbers in the wrong form: an axis too many, columns for rows, strings, objects, results joined."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return f"{np.dot(dec_hidden_state, enc_hidden_state)}"


def dot_attention_score(dec_hidden_state, annotations):
    return dict(enumerate(np.asarray(dec_hidden_state) @ np.asarray(annotations)))


def normalize_by_sum(scores):
    return (score / np.sum(scores) for score in scores)


def softmax(scores):
    exponentials = np.exp(np.array(scores) - np.max(scores))
    return (exponentials / exponentials.sum()).astype(object)


def apply_attention_scores(attention_weights, annotations):
    return (np.asarray(annotations) * np.asarray(attention_weights)).ravel()


def calculate_attention_vector(applied_attention):
    return np.sum(applied_attention, axis=1).astype(complex)


def attend(dec_hidden_state, annotations):
    annotations = np.asarray(annotations)
    scores = np.asarray(dec_hidden_state) @ annotations
    weights = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    return np.concatenate([annotations @ weights, weights])
