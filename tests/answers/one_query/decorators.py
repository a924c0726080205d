# expect: all passed
"""A decorator turns every argument into an array of float64, and results into arrays; lambdas do the rest."""

from functools import partial, reduce, wraps

import numpy as np


def floats(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        return function(*(np.array(arg, dtype=np.float64, ndmin=1) for arg in args), **kwargs)

    return wrapper


def compose(*functions):
    return reduce(lambda f, g: lambda *args: g(f(*args)), functions)


def named(name):
    def decorate(function):
        function.__name__ = name
        return function

    return decorate


@floats
def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return np.inner(dec_hidden_state, enc_hidden_state)


@floats
def dot_attention_score(s, a):
    return np.tensordot(s, a, axes=(0, 0))


normalize_by_sum = named("normalize_by_sum")(floats(lambda scores: scores * np.reciprocal(scores.sum())))
_shift = partial(np.add, 0.0)
softmax = named("softmax")(compose(floats(lambda s: s - np.amax(s)), np.exp, lambda e: e / np.add.reduce(e)))


@floats
def apply_attention_scores(w, a):
    return w * a


@floats
def calculate_attention_vector(applied):
    return reduce(np.add, applied.T)


@floats
def attend(state, annotations):
    weights = softmax(dot_attention_score(state, annotations))
    return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights
