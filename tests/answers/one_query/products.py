# expect: all passed
"""The other names of the dot product: inner, vdot, tensordot, matmul, dot with everything transposed."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return np.vdot(dec_hidden_state, enc_hidden_state)


def dot_attention_score(dec_hidden_state, annotations):
    return np.inner(dec_hidden_state, np.transpose(annotations))


def normalize_by_sum(scores):
    return np.divide(scores, np.dot(scores, np.ones(len(scores))))


def softmax(scores):
    exponentials = np.exp(np.array(scores) - np.amax(scores))
    return exponentials / np.matmul(exponentials, np.ones_like(exponentials))


def apply_attention_scores(attention_weights, annotations):
    return np.matmul(annotations, np.diag(attention_weights))


def calculate_attention_vector(applied_attention):
    return np.tensordot(applied_attention, np.ones(np.shape(applied_attention)[1]), axes=([1], [0]))


def attend(dec_hidden_state, annotations):
    weights = softmax(np.dot(np.array(annotations).T, dec_hidden_state))
    return np.dot(annotations, weights), weights
