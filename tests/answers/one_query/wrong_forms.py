# expect: single_dot_attention_score raised
# expect: dot_attention_score raised
# expect: normalize_by_sum raised
# expect: softmax raised
# expect: apply_attention_scores raised
# expect: calculate_attention_vector raised
# expect: attend raised
"""Right for one kind of input only: arrays but no lists, lists but no arrays, the example's sizes."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return (dec_hidden_state * enc_hidden_state).sum()


def dot_attention_score(dec_hidden_state, annotations):
    return annotations.T @ dec_hidden_state


def normalize_by_sum(scores):
    return scores / scores.sum()


def softmax(scores):
    return np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()


def apply_attention_scores(attention_weights, annotations):
    if not isinstance(annotations, list):
        raise TypeError("annotations must be a list of rows")
    return [[w * a for w, a in zip(attention_weights, row, strict=True)] for row in annotations]


def calculate_attention_vector(applied_attention):
    first, second, third = applied_attention
    return np.array([sum(first), sum(second), sum(third)])


def attend(dec_hidden_state, annotations):
    scores = dec_hidden_state.dot(annotations)
    weights = np.exp(scores - scores.max())
    return annotations @ (weights / weights.sum()), weights / weights.sum()
