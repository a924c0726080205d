# expect: all passed
"""np.vectorize, np.apply_along_axis, np.frompyfunc and np.nditer in place of broadcasting."""

import math

import numpy as np

times = np.vectorize(lambda a, b: float(a) * float(b), otypes=[float])
power = np.frompyfunc(math.exp, 1, 1)
row_product = np.vectorize(np.dot, signature="(n),(n)->()")


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return times(dec_hidden_state, enc_hidden_state).sum()


def dot_attention_score(dec_hidden_state, annotations):
    return np.apply_along_axis(lambda column: np.dot(column, dec_hidden_state), 0, annotations)


def normalize_by_sum(scores):
    return np.vectorize(np.divide, otypes=[float])(scores, np.sum(scores))


def softmax(scores):
    shifted = np.subtract(scores, max(scores), dtype=float)
    powers = power(shifted).astype(float)
    return powers / math.fsum(powers)


def apply_attention_scores(attention_weights, annotations):
    result = np.zeros(np.shape(annotations))
    with np.nditer(result, flags=["multi_index"], op_flags=["readwrite"]) as places:
        for place in places:
            unit, step = places.multi_index
            place[...] = annotations[unit][step] * attention_weights[step]
    return result


def calculate_attention_vector(applied_attention):
    return np.apply_along_axis(sum, 1, applied_attention)


def attend(dec_hidden_state, annotations):
    weights = softmax(row_product(np.transpose(annotations), dec_hidden_state))
    return row_product(annotations, weights), weights
