"""Mistakes seen in answers to padding_mask."""

import numpy as np


def _lengths(lengths):
    return np.asarray(lengths)[:, None, None]


def upside_down(lengths, max_length):
    """The mask is inverted: `True` means "may attend", which holds for real tokens and not for padding."""
    return np.arange(max_length) >= _lengths(lengths)


def one_too_many(lengths, max_length):
    """One padding token slips in: places count from 0, so a sentence of length 2 has the places 0 and 1."""
    return np.arange(max_length) <= _lengths(lengths)


def one_too_few(lengths, max_length):
    """The last real token is hidden: a sentence of length 2 has two places, 0 and 1."""
    return np.arange(max_length) < _lengths(lengths) - 1


def no_axis_for_the_queries(lengths, max_length):
    """The axis of the queries is missing: `(b, max_length)` would be lined up with the wrong axis of the weights.

    `None` in an index makes a new axis of length 1.
    """
    return np.arange(max_length) < np.asarray(lengths)[:, None]


def axis_in_the_wrong_place(lengths, max_length):
    """The axis of length 1 stands at the end; it belongs in the middle, where the queries are: `(b, 1, max_length)`."""
    return (np.arange(max_length) < np.asarray(lengths)[:, None])[:, :, None]


def an_axis_in_front(lengths, max_length):
    """The axis of length 1 stands in front of the batch; it belongs in the middle, where the queries are."""
    return (np.arange(max_length) < np.asarray(lengths)[:, None])[None]


def padding_in_front(lengths, max_length):
    """The real tokens are taken to stand at the end: sentences start at place 0, and the padding comes after them."""
    return np.arange(max_length) >= max_length - _lengths(lengths)


def as_long_as_the_longest(lengths, max_length):
    """The mask is as long as the longest sentence at hand: its length is `max_length`, even if no sentence has it."""
    return np.arange(max(lengths)) < _lengths(lengths)


def numbers_for_booleans(lengths, max_length):
    """The places are right, but they hold ones and zeros: a mask is Boolean, `True` and `False`."""
    return (np.arange(max_length) < _lengths(lengths)).astype(float)


def square_for_every_sentence(lengths, max_length):
    """The rows of padding queries are hidden too: the mask says which *keys* are real, in one row for each sentence."""
    real = np.arange(max_length) < _lengths(lengths)
    return real & np.swapaxes(real, 1, 2)


def repeated_for_every_query(lengths, max_length):
    """The row is repeated for every query: one row a sentence is enough, the axis of the queries has length 1."""
    return np.repeat(np.arange(max_length) < _lengths(lengths), max_length, axis=1)


def not_returned(lengths, max_length):
    """The mask may have been computed, but the function does not hand it back: it needs a `return`."""


def changes_its_input(lengths, max_length):
    """The mask is right, but the lengths that were handed in are changed: work on a copy."""
    mask = np.arange(max_length) < _lengths(lengths).copy()
    if isinstance(lengths, np.ndarray):
        lengths -= 1
    return mask
