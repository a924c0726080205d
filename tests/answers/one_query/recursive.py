# expect: all passed
"""Recursion, generators, an online softmax, and objects that are called."""

import functools
import math
import operator
from typing import NamedTuple

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    if len(dec_hidden_state) == 0:
        return 0
    rest = single_dot_attention_score(dec_hidden_state[1:], enc_hidden_state[1:])
    return dec_hidden_state[0] * enc_hidden_state[0] + rest


dot_attention_score = np.vectorize(np.dot, signature="(h),(h,t)->(t)", otypes=[float])


class Normalizer:
    def __call__(self, scores):
        return (found := np.array(scores, dtype=float)) / functools.reduce(operator.add, found)


normalize_by_sum = Normalizer()


def softmax(scores):
    largest, total = -math.inf, 0.0
    for score in scores:
        before, largest = largest, max(largest, score)
        total = total * math.exp(before - largest) + math.exp(score - largest)
    return np.fromiter((math.exp(score - largest) / total for score in scores), dtype=float)


def apply_attention_scores(attention_weights, annotations):
    return tuple(tuple(map(operator.mul, attention_weights, row)) for row in annotations)


def calculate_attention_vector(applied_attention):
    return list(map(math.fsum, applied_attention))


class Attended(NamedTuple):
    context: object
    weights: object


def attend(dec_hidden_state, annotations):
    annotations = np.array(annotations, dtype=float)
    scores = np.einsum("h,ht", dec_hidden_state, annotations)
    exponentials = np.exp(scores - np.logaddexp.reduce(scores))
    return Attended(np.average(annotations, axis=1, weights=exponentials), exponentials)
