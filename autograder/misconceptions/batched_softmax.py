"""Mistakes seen in answers to batched_softmax."""

import numpy as np


def _softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def one_sum_for_everything(x, axis=-1):
    """The axis is ignored: there is one sum for the whole array, so that everything together sums to 1.

    Normalise each query's scores on their own.
    """
    return _softmax(np.asarray(x, dtype=float), None)


def one_sum_and_no_maximum(x, axis=-1):
    """The axis is ignored, and nothing is subtracted: one sum for the whole array, and overflow for large scores.

    Both the maximum and the sum belong to one row.
    """
    exponentials = np.exp(np.asarray(x, dtype=float))
    return exponentials / np.sum(exponentials)


def over_the_queries(x, axis=-1):
    """The weights are normalised over the first axis whatever `axis` says: with the default, each row sums to 1."""
    return _softmax(np.asarray(x, dtype=float), 0)


def over_the_last_but_one_axis(x, axis=-1):
    """The columns sum to 1 here, whatever `axis` says: with the default, each row sums to 1."""
    x = np.asarray(x, dtype=float)
    return _softmax(x, -2 if x.ndim > 1 else -1)


def always_the_last_axis(x, axis=-1):
    """The last axis is normalised whatever `axis` says: hand it on to the maximum and to the sum."""
    return _softmax(np.asarray(x, dtype=float), -1)


def always_axis_one(x, axis=-1):
    """Axis 1 is normalised whatever `axis` says: in a batch that is not the last one."""
    return _softmax(np.asarray(x, dtype=float), 1)


def no_maximum_subtracted(x, axis=-1):
    """`np.exp` overflows for large scores, and infinity divided by infinity is NaN.

    Subtract the largest score of each row first: the result does not change.
    """
    exponentials = np.exp(np.asarray(x, dtype=float))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def one_maximum_for_everything(x, axis=-1):
    """One maximum is subtracted from the whole array: rows far below it have nothing left but zeros, and 0/0 is NaN.

    Take the maximum of each row, along `axis`.
    """
    x = np.asarray(x, dtype=float)
    exponentials = np.exp(x - x.max())
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def float128(x, axis=-1):
    """A wider number type only moves the overflow further out, and `float128` is missing on Windows and on Arm Macs.

    float64 is enough once the largest score of each row is subtracted.
    """
    exponentials = np.exp(np.asarray(x, dtype=np.longdouble))
    return (exponentials / exponentials.sum(axis=axis, keepdims=True)).astype(float)


def no_exponential(x, axis=-1):
    """The scores are divided by their sum without the exponential: negative scores give negative weights.

    Exponentiate first, then divide.
    """
    x = np.asarray(x, dtype=float)
    return x / x.sum(axis=axis, keepdims=True)


def argmax(x, axis=-1):
    """All the weight of a row goes to its largest score: softmax is a soft average, not a choice."""
    x = np.asarray(x, dtype=float)
    axis = axis % x.ndim
    places = np.arange(x.shape[axis]).reshape([-1 if a == axis else 1 for a in range(x.ndim)])
    return (places == x.argmax(axis=axis, keepdims=True)).astype(float)


def not_returned(x, axis=-1):
    """The weights may have been computed, but the function does not hand them back: it needs a `return`."""


def the_axis_is_lost(x, axis=-1):
    """Maximum and sum lose their axis, so that NumPy lines them up with the wrong one.

    `keepdims=True` keeps the axis, with length 1.
    """
    x = np.asarray(x, dtype=float)
    exponentials = np.exp(x - x.max(axis=axis))
    return exponentials / exponentials.sum(axis=axis)


def not_divided_by_the_sum(x, axis=-1):
    """These are the exponentials; they still have to be divided by the sum of their row, or they are no shares."""
    x = np.asarray(x, dtype=float)
    return np.exp(x - x.max(axis=axis, keepdims=True))


def sign_turned_round(x, axis=-1):
    """The sign is turned round: the smallest score gets the largest weight."""
    return _softmax(-np.asarray(x, dtype=float), axis)


def changes_its_input(x, axis=-1):
    """The weights are right, but `-=` overwrote the scores that were handed in: work on a copy."""
    x = np.asarray(x)
    if x.dtype.kind != "f":
        x = x.astype(float)
    x -= x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def largest_absolute_value_subtracted(x, axis=-1):
    """What is subtracted is the largest number without its sign: negative rows only get smaller, down to 0 / 0.

    Subtract the largest score as it stands.
    """
    x = np.asarray(x, dtype=float)
    exponentials = np.exp(x - np.abs(x).max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def logarithm_of_softmax(x, axis=-1):
    """This is the logarithm of the weights: take `exp` of it, or leave the `log` away."""
    x = np.asarray(x, dtype=float)
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def minimum_subtracted(x, axis=-1):
    """The smallest score is subtracted here, which leaves the large ones large: subtract the largest."""
    x = np.asarray(x, dtype=float)
    exponentials = np.exp(x - x.min(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def sum_along_the_last_axis(x, axis=-1):
    """The sum always runs along the last axis, only the maximum heeds `axis`: both belong to one and the same slice."""
    x = np.asarray(x, dtype=float)
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
