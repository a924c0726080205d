"""All that is known of how one array is related to another."""

import numpy as np

from autograder.judging.relations import places, shapes, values

_SAME_SHAPE = (values.one_number, values.an_argument, values.inverted, places.transposed, places.moved)
_SAME_SHAPE += (values.a_function, values.rounded, values.a_factor, values.sums, values.a_product, places.right_in_part)
_OTHER_SHAPE = (values.one_number, values.an_argument, shapes.axes_of_one, shapes.turned, shapes.reduced)
_OTHER_SHAPE += (shapes.a_part, values.a_product)


def clauses(got, expected, given):
    """All clauses that hold, the most telling first.

    Parameters
    ----------
    got, expected : ndarray
        Of numbers or of Booleans, both finite or not.
    given : dict of str to ndarray
        The arguments that are arrays.
    """
    if expected.size == 0 or got.size == 0:
        return
    for relation in _SAME_SHAPE if got.shape == expected.shape else _OTHER_SHAPE:
        with np.errstate(all="ignore"):
            yield from relation(got, expected, given)
