# expect: all passed
"""Einstein's way."""

import numpy as np


def single_dot_attention_score(s, a):
    return np.einsum("h,h->", s, a)  # a 0-d array or a NumPy scalar


def dot_attention_score(s, a):
    return np.einsum("h,ht->t", s, a)


def normalize_by_sum(x):
    return np.einsum("i,->i", x, 1 / np.einsum("i->", x))


def softmax(x):
    e = np.exp(np.subtract(x, np.max(x)))
    return np.einsum("i,->i", e, 1 / np.einsum("i->", e))


def apply_attention_scores(w, a):
    return np.einsum("t,ht->ht", w, a)


def calculate_attention_vector(applied):
    return np.einsum("ht->h", applied)


def attend(s, a):
    w = softmax(np.einsum("h,ht->t", s, a))
    return [np.einsum("ht,t->h", a, w), w]
