# expect: all passed
"""Dataclasses and named tuples hold the state, the annotations and what comes of them."""

from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np

Attended = namedtuple("Attended", "context weights")


@dataclass(frozen=True)
class Annotation:
    numbers: tuple

    def fit(self, state):
        return float(sum(a * b for a, b in zip(self.numbers, state)))

    def __mul__(self, weight):
        return Annotation(tuple(number * weight for number in self.numbers))

    def __add__(self, other):
        return Annotation(tuple(a + b for a, b in zip(self.numbers, other.numbers)))


@dataclass
class Memory:
    annotations: list = field(default_factory=list)

    @classmethod
    def of(cls, columns):
        return cls([Annotation(tuple(column)) for column in zip(*np.asarray(columns, dtype=float).tolist())])

    def array(self):
        return np.array([annotation.numbers for annotation in self.annotations], dtype=float).T


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return Annotation(tuple(enc_hidden_state)).fit(dec_hidden_state)


def dot_attention_score(dec_hidden_state, annotations):
    return np.array([each.fit(dec_hidden_state) for each in Memory.of(annotations).annotations])


def normalize_by_sum(scores):
    total = sum(scores)
    return np.array([score / total for score in scores], dtype=float)


def softmax(scores):
    best = max(scores)
    powers = np.array([np.e ** float(score - best) for score in scores])
    return normalize_by_sum(powers)


def apply_attention_scores(attention_weights, annotations):
    memory = Memory.of(annotations)
    return Memory([each * weight for each, weight in zip(memory.annotations, attention_weights)]).array()


def calculate_attention_vector(applied_attention):
    first, *rest = Memory.of(applied_attention).annotations
    for each in rest:
        first = first + each
    return np.array(first.numbers)


def attend(dec_hidden_state, annotations):
    weights = softmax(dot_attention_score(dec_hidden_state, annotations))
    return Attended(calculate_attention_vector(apply_attention_scores(weights, annotations)), weights)
