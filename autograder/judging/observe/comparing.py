"""When arrays are the same, and when that says something."""

import numpy as np

from autograder.judging.values.same import DIAGNOSIS_RTOL as RTOL


class Weak(str):
    """A clause that the numbers of one call do not bear out: it is said where it holds in another wrong call too."""


class Alone(Weak):
    """A weak clause that is said of one call, too, where no other is wrong."""


class Place(str):
    """A clause on where numbers are right: what is known of another result says more."""


class Plain(str):
    """A clause that says enough where the numbers are few, too: a dtype bears it out."""


class Varying(str):
    """A clause with a number in it that may be another one in other calls: what holds in them all is its key."""

    def __new__(cls, text, key):
        made = super().__new__(cls, text)
        made.key = key
        return made


class Vague(Varying, Weak):
    """One with a number in it that is said where its key holds in another wrong call, too."""


def key_of(clause):
    """What has to hold in another call for this to hold there."""
    return getattr(clause, "key", clause)


def is_telling(array):
    """Whether it holds so many different numbers that none of its relations is a coincidence."""
    finite = array[np.isfinite(array)] if array.dtype != bool else array
    return len(np.unique(np.round(finite.astype(float), 9))) > 2 or (array.dtype == bool and array.size > 8)


def softmax(array, axis=-1):
    """Softmax, as everybody knows it."""
    powers = np.exp(array - array.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def places(ndim, axis):
    """What lies along an axis, in the singular and in the plural."""
    if ndim == 1:
        return "number", "numbers"
    if axis == -1:
        return "column", "columns"
    return ("row", "rows") if axis == -2 else (f"entry of axis {ndim + axis}", f"entries of axis {ndim + axis}")


def are_one(sums):
    return bool(np.all(np.abs(sums - 1) < RTOL))
