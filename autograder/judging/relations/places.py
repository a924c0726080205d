"""Expected numbers in other places, and places in which alone the numbers are right or wrong."""

import numpy as np

from autograder.judging.compare import are_close
from autograder.judging.relations.comparing import RTOL, Weak, places, same

A_FEW = 2  # rows that are told by their numbers


def transposed(got, expected, given):
    for one in range(-expected.ndim, 0):
        for other in range(one + 1, 0):
            if same(got, expected.swapaxes(one, other)) and not same(got, expected):
                last = (one, other) == (-2, -1)
                yield (
                    "{it} is what was expected, transposed"
                    if last
                    else (f"{{it}} is what was expected with the axes {one} and {other} swapped")
                )


def moved(got, expected, given):
    for axis in range(-expected.ndim, 0):
        if expected.shape[axis] < 2:
            continue
        things = places(expected.ndim, axis)[1]
        if same(got, np.flip(expected, axis)):
            yield f"{{it}} is what was expected with its {things} in reverse order"
        elif same(got, np.roll(expected, 1, axis)) or same(got, np.roll(expected, -1, axis)):
            yield f"{{it}} is what was expected with its {things} moved by one place"
        elif got.dtype != bool and same(_sorted(got, axis), _sorted(expected, axis)):
            yield f"{{it}} has the expected {things}, in another order"
    if got.dtype != bool and expected.ndim > 1 and same(np.sort(got.ravel()), np.sort(expected.ravel())):
        yield "{it} has the expected numbers, in other places"


def _sorted(array, axis):
    """The array with its rows, columns and so on in an order that depends on them alone."""
    flat = np.round(np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1).astype(float), 6)
    order = np.lexsort(flat.T[::-1])
    return np.take(array, order, axis)


def right_in_part(got, expected, given):
    if got.dtype == bool or expected.dtype == bool:
        right = got == expected
    else:
        right = are_close(got.astype(float), expected.astype(float), RTOL)
    for axis in range(expected.ndim):
        place, plural = places(expected.ndim, axis - expected.ndim)
        whole = right.all(tuple(other for other in range(expected.ndim) if other != axis))
        if len(whole) < 2 or not whole.any() or whole.all():
            continue
        within = {expected.ndim - 1, expected.ndim - 2} & set(range(expected.ndim)) - {axis}
        anywhere = right.all(tuple(within)).reshape(-1, len(whole)).any(0) if axis >= expected.ndim - 2 else whole
        for at, words in ((0, "first"), (-1, "last")):
            if whole[at] and anywhere.sum() == 1:
                yield f"only the {words} {place} of {{it}} is right"
            elif not whole[at] and whole.sum() == len(whole) - 1 and len(whole) > 2:
                yield f"all of {{it}} is right but the {words} {place}"
        wrong = np.flatnonzero(~whole)
        if 0 < len(wrong) <= min(A_FEW, len(whole) // 2) and axis == expected.ndim - min(2, expected.ndim):
            named = " and ".join(map(str, wrong))
            yield f"all of {{it}} is right but the {place if len(wrong) == 1 else plural} {named}, counted from 0"
    if expected.ndim > 1 and expected.shape[-1] == expected.shape[-2] > 1:
        diagonal = np.broadcast_to(np.eye(expected.shape[-1], dtype=bool), expected.shape)
        if right[~diagonal].all():
            yield "{it} is wrong on the diagonal only"
        elif right[diagonal].all() and not right[~diagonal].any():
            yield "{it} is right on the diagonal only"
    if expected.dtype != bool and (expected == 0).any() and (expected != 0).any() and right[expected != 0].all():
        yield "{it} is wrong only where 0 was expected"


def outside_a_cross(got, expected, given):
    """Wrong in one row and in one column only."""
    if got.dtype == bool or expected.ndim < 2 or min(expected.shape[-2:]) < 2:
        return
    right = are_close(got.astype(float), expected.astype(float), RTOL).reshape(-1, *expected.shape[-2:]).all(0)
    for row in (0, -1):
        for column in (0, -1):
            rest = np.delete(np.delete(right, row, 0), column, 1)
            if rest.all() and not right[row].all() and not right[:, column].all():
                words = "last" if row else "first", "last" if column else "first"
                clause = f"{{it}} is right outside the {words[0]} row and the {words[1]} column"
                yield clause if min(right.shape) > 2 else Weak(clause)
