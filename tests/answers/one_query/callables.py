# expect: all passed
# ruff: noqa: E731
"""Exercises that are no plain functions: NumPy's own, lambdas, partials, callable objects, decorated, with helpers."""

import functools
import time

import numpy as np

# %%
single_dot_attention_score = np.dot

# %%
dot_attention_score = lambda state, annotations: np.asarray(state) @ np.asarray(annotations)

# %%


def _normalize(scores, how):
    return np.asarray(scores) / how(scores)


normalize_by_sum = functools.partial(_normalize, how=np.sum)

# %%


class _Softmax:
    def __init__(self, temperature):
        self.temperature = temperature

    def __call__(self, scores):
        exponentials = np.exp((np.asarray(scores) - np.max(scores)) / self.temperature)
        return exponentials / exponentials.sum()


softmax = _Softmax(temperature=1.0)

# %%
if True:
    apply_attention_scores = np.multiply


# %%


def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        started = time.perf_counter()
        result = function(*args, **kwargs)
        print(f"{function.__name__} took {time.perf_counter() - started:.3f} s")
        return result

    return wrapper


@timed
def calculate_attention_vector(applied_attention):
    return np.sum(applied_attention, axis=-1)


# %%


class attend:
    def __new__(cls, dec_hidden_state, annotations):
        return cls.context_and_weights(dec_hidden_state, annotations)

    @staticmethod
    def context_and_weights(dec_hidden_state, annotations):
        weights = softmax(dot_attention_score(dec_hidden_state, annotations))
        return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights
