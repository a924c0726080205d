# expect: single_dot_attention_score wrong
# expect: dot_attention_score wrong
# expect: normalize_by_sum passed
# expect: softmax passed
# expect: apply_attention_scores wrong
# expect: calculate_attention_vector passed
# expect: attend passed
"""Results of the type that one of two arguments has: where it holds integers, the fractions of the other are lost."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    first = np.asarray(dec_hidden_state)
    return first.dtype.type(first @ np.asarray(enc_hidden_state))


def dot_attention_score(dec_hidden_state, annotations):
    annotations = np.asarray(annotations)
    scores = np.zeros_like(annotations[0])
    for time in range(annotations.shape[1]):
        scores[time] = np.dot(dec_hidden_state, annotations[:, time])
    return scores


def normalize_by_sum(scores):
    return np.asarray(scores) / np.sum(scores)


def softmax(scores):
    powers = np.exp(np.asarray(scores) - np.max(scores))
    return powers / powers.sum()


def apply_attention_scores(attention_weights, annotations):
    weights = np.asarray(attention_weights)
    return (weights * annotations).astype(weights.dtype)


def calculate_attention_vector(applied_attention):
    return np.sum(applied_attention, axis=1)


def attend(dec_hidden_state, annotations):
    weights = softmax(np.dot(dec_hidden_state, annotations))
    return calculate_attention_vector(np.asarray(annotations) * weights), weights
