"""All that is known of how one array is related to another."""

import numpy as np

from autograder.judging.observe import booleans, places, shapes, traces, values
from autograder.judging.values.same import same

LARGEST = 200_000  # elements: more would take too long

_SAME_SHAPE = (
    values.nan_where,
    values.one_number,
    values.an_argument,
    values.inverted,
    places.transposed,
    places.moved,
)
_SAME_SHAPE += (
    values.a_function,
    values.rounded,
    values.dropped,
    values.a_factor,
    values.a_temperature,
    values.sums,
    places.triangles,
    values.a_product,
    values.a_combination,
    booleans.where,
    places.right_in_part,
    places.outside_a_cross,
    values.unsigned,
    values.equal_rows,
)
_OTHER_SHAPE = (values.one_number, values.an_argument, shapes.axes_of_one, shapes.turned, shapes.reduced)
_OTHER_SHAPE += (shapes.a_part, shapes.rows_between, values.a_product, values.a_combination)
_OTHER_SHAPE += (shapes.longer_or_shorter,)
_TRACES = (
    traces.no_numbers,
    values.sums_of_zero,
    traces.only_in_part,
    traces.not_hidden,
    traces.ties,
    traces.of_fewer_digits,
    traces.out_of_bounds,
)


def faint(got, expected, given):
    """Clauses that hold, too, and say less."""
    if got.shape == expected.shape and 0 < got.size < LARGEST and not same(got, expected):
        for relation in _TRACES:
            yield from relation(got, expected, given)


def clauses(got, expected, given):
    """All clauses that hold, the most telling first.

    Parameters
    ----------
    got, expected : ndarray
        Of numbers or of Booleans, both finite or not.
    given : dict of str to ndarray
        The arguments that are arrays.
    """
    if not 0 < expected.size < LARGEST or not 0 < got.size < LARGEST:
        return
    if same(got, expected):  # so nearly that a suite alone may see the difference
        yield from values.rounded(got, expected, given)
        return
    if expected.dtype == bool != got.dtype and np.isin(got, (0, 1)).all() and not same(got.astype(bool), expected):
        yield from (
            f"{clause}, with 1 and 0 in place of True and False" for clause in clauses(got.astype(bool), expected, {})
        )
        return
    for relation in _SAME_SHAPE if got.shape == expected.shape else _OTHER_SHAPE:
        yield from relation(got, expected, given)
