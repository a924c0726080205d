# expect: all passed
"""Exact arithmetic: fsum, Fraction and Decimal, turned into floats at the end."""

import decimal
import math
from fractions import Fraction

decimal.getcontext().prec = 40


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    pairs = zip(map(float, dec_hidden_state), map(float, enc_hidden_state), strict=True)
    return float(sum(Fraction(one) * Fraction(other) for one, other in pairs))


def dot_attention_score(dec_hidden_state, annotations):
    return (
        tuple(math.sumprod(dec_hidden_state, column) for column in zip(*annotations, strict=True))
        if hasattr(math, "sumprod")
        else tuple(single_dot_attention_score(dec_hidden_state, column) for column in zip(*annotations, strict=True))
    )


def normalize_by_sum(scores):
    total = math.fsum(scores)
    return tuple(float(score) / total for score in scores)


def softmax(scores):
    scores = [decimal.Decimal(float(score)) for score in scores]
    powers = [(score - max(scores)).exp() for score in scores]
    return [float(power / sum(powers)) for power in powers]


def apply_attention_scores(attention_weights, annotations):
    return [
        [float(Fraction(float(w)) * Fraction(float(a))) for w, a in zip(attention_weights, row, strict=True)]
        for row in annotations
    ]


def calculate_attention_vector(applied_attention):
    return tuple(map(math.fsum, applied_attention))


def attend(dec_hidden_state, annotations):
    weights = softmax(dot_attention_score(dec_hidden_state, annotations))
    return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights
