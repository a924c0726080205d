# expect: all passed
"""Every number is a complex one on the way, and softmax is the real part of a shifted exponential."""

import cmath

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return np.vdot(np.asarray(dec_hidden_state, dtype=complex), np.asarray(enc_hidden_state, dtype=complex)).real


def dot_attention_score(dec_hidden_state, annotations):
    both = np.asarray(dec_hidden_state) + 0j
    return (both @ (np.asarray(annotations) + 0j)).real.copy()


def normalize_by_sum(scores):
    z = np.asarray(scores, dtype=complex)
    return np.real(z / z.sum())


def softmax(scores):
    top = max(scores)
    powers = [cmath.exp(complex(score - top)) for score in scores]
    total = sum(powers)
    return np.array([(power / total).real for power in powers])


def apply_attention_scores(attention_weights, annotations):
    diagonal = np.diag(np.asarray(attention_weights, dtype=np.complex128))
    return np.real(np.asarray(annotations) @ diagonal)


def calculate_attention_vector(applied_attention):
    return np.abs(0j) + np.sum(np.asarray(applied_attention).astype(complex), axis=-1).real


def attend(dec_hidden_state, annotations):
    weights = softmax(dot_attention_score(dec_hidden_state, annotations))
    return np.real(np.asarray(annotations, dtype=complex) @ weights), weights
