"""Mistakes seen in answers to causal_mask."""

import numpy as np


def upside_down(n):
    """The mask is inverted: `True` means "may attend", and a token may attend to itself and to what came before."""
    return ~np.tril(np.ones((n, n), dtype=bool))


def looks_ahead(n):
    """This is the upper triangle, in which tokens look ahead: queries are rows, and column j is at most row i."""
    return np.triu(np.ones((n, n), dtype=bool))


def without_itself(n):
    """The diagonal is missing: a token may attend to itself, or the first one could look at nothing."""
    return np.tril(np.ones((n, n), dtype=bool), -1)


def one_too_far(n):
    """Each token sees one token of its future: the diagonal is the last column that is allowed."""
    return np.tril(np.ones((n, n), dtype=bool), 1)


def only_itself(n):
    """Only the diagonal is `True`: a token may attend to everything before it, too."""
    return np.eye(n, dtype=bool)


def numbers_for_booleans(n):
    """The triangle is right, but it holds ones and zeros: a mask is Boolean, `True` and `False`.

    `dtype=bool` makes it so. Numbers surprise where a mask is inverted or used as an index.
    """
    return np.tril(np.ones((n, n)))


def added_to_the_scores(n):
    """This is the form that is added to the scores, 0 and minus infinity: a Boolean mask is asked for."""
    return np.where(np.tril(np.ones((n, n), dtype=bool)), 0.0, -np.inf)


def everything_allowed(n):
    """Everything is `True`, so that nobody is kept from looking ahead."""
    return np.ones((n, n), dtype=bool)


def not_returned(n):
    """The mask may have been computed, but the function does not hand it back: it needs a `return`."""


def four_written_as_a_number(n):
    """Four tokens are written into the code, as many as the example has: make the mask `n` by `n`."""
    return np.tril(np.ones((4, 4), dtype=bool))
