# expect: all passed
"""Generators of the standard library alone; arrays are made at the very end."""

import itertools
import math
import operator

import numpy as np


def products(left, right):
    yield from map(operator.mul, map(float, left), map(float, right))


def columns(table):
    yield from zip(*(map(float, row) for row in table))


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    *_, last = itertools.accumulate(products(dec_hidden_state, enc_hidden_state))
    return last


def dot_attention_score(dec_hidden_state, annotations):
    return np.fromiter((math.fsum(products(dec_hidden_state, c)) for c in columns(annotations)), dtype=float)


def normalize_by_sum(scores):
    total = math.fsum(scores)
    return np.fromiter((score / total for score in scores), dtype=float, count=len(scores))


def softmax(scores):
    highest = max(map(float, scores))
    powers = list(map(math.exp, (float(score) - highest for score in scores)))
    return np.fromiter(normalize_by_sum(powers), float)


def apply_attention_scores(attention_weights, annotations):
    return np.array([list(products(row, attention_weights)) for row in annotations])


def calculate_attention_vector(applied_attention):
    return np.fromiter(map(math.fsum, applied_attention), dtype=np.double)


def attend(dec_hidden_state, annotations):
    weights = softmax(list(dot_attention_score(dec_hidden_state, annotations)))
    return np.array([math.sumprod(map(float, row), weights) for row in annotations]) if hasattr(
        math, "sumprod"
    ) else np.array([math.fsum(products(row, weights)) for row in annotations]), weights
