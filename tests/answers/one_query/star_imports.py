# expect: all passed
"""Everything of NumPy is imported by a star, with other names for the parameters and sizes read from shapes."""

from numpy import *


def single_dot_attention_score(h, e):
    return sum(multiply(asarray(h, dtype=float64), e))


def dot_attention_score(h, A):
    A = array(A, dtype=float64)
    return einsum("h,ht->t", array(h, dtype=float64), A)


def normalize_by_sum(x):
    x = asfarray(x) if "asfarray" in globals() else asarray(x, dtype=float64)
    return true_divide(x, x.sum())


def softmax(x):
    x = asarray(x, dtype=float64)
    y = exp2((x - x.max()) * log2(e))
    return y / y.sum()


def apply_attention_scores(w, A):
    return einsum("t,ht->ht", w, A)


def calculate_attention_vector(A):
    A = asarray(A)
    return A.dot(ones(A.shape[1]))


def attend(h, A):
    w = softmax(dot_attention_score(h, A))
    return vstack(A) @ w, w
