"""Expected numbers in other places, and places in which alone the numbers are right or wrong."""

import numpy as np

from autograder.judging.observe.comparing import RTOL, Place, Weak, is_telling, places
from autograder.judging.values.same import are_close, same

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
        elif _has_an_order(expected, axis) and same(_sorted(got, axis), _sorted(expected, axis)):
            yield f"{{it}} has the expected {things}, in another order"
        else:
            yield from _moved_on(got, expected, axis, things)
    if got.dtype != bool and expected.ndim > 1 and same(np.sort(got.ravel()), np.sort(expected.ravel())):
        yield "{it} has the expected numbers, in other places"


def _moved_on(got, expected, axis, things):
    """All in the next place, so that one has come in at the front and the last is gone, or the other way round."""
    found, wanted = np.moveaxis(got, axis, 0), np.moveaxis(expected, axis, 0)
    if expected.dtype == bool:
        return
    is_plain = is_telling(wanted[1:-1]) and not (same(found[:-1], wanted[:-1]) or same(found[1:], wanted[1:]))
    clause = f"{{it}} is what was expected with its {things} moved"
    kind = str if is_plain else Weak
    if same(found[1:], wanted[:-1]):
        yield kind(f"{clause} on by one place: something has come in at the front, and the last is gone")
    if same(found[:-1], wanted[1:]):
        yield kind(f"{clause} back by one place: the first is gone, and something has come in at the end")


def _has_an_order(expected, axis):
    """Whether the same in another order is no coincidence: places are 0, 1, 2 and so on in whatever order."""
    if expected.dtype == bool:
        return len(np.unique(expected, axis=axis)) == expected.shape[axis] > 2
    return (np.sort(np.moveaxis(expected, axis, -1)) != np.arange(expected.shape[axis])).any()


def _sorted(array, axis):
    """The array with its rows, columns and so on in an order that depends on them alone."""
    flat = np.round(np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1).astype(float), 6)
    order = np.lexsort(flat.T[::-1])
    return np.take(array, order, axis)


def right_in_part(got, expected, given):
    right = where_right(got, expected)
    for axis, place, plural, whole in right_along(right):
        for at, words in ((0, "first"), (-1, "last")):
            if not whole[at] and whole.sum() == len(whole) - 1 and len(whole) > 2:
                yield Place(f"all of {{it}} is right but the {words} {place}")
        wrong = np.flatnonzero(~whole)
        if 0 < len(wrong) <= min(A_FEW, len(whole) // 2) and axis == expected.ndim - min(2, expected.ndim):
            named = " and ".join(map(str, wrong))
            things = place if len(wrong) == 1 else plural
            yield Place(f"all of {{it}} is right but the {things} {named}, counted from 0")
    if expected.ndim > 1 and expected.shape[-1] == expected.shape[-2] > 1:
        diagonal = np.broadcast_to(np.eye(expected.shape[-1], dtype=bool), expected.shape)
        if right[~diagonal].all():
            yield "{it} is wrong on the diagonal only"
        elif right[diagonal].all() and not right[~diagonal].any():
            yield "{it} is right on the diagonal only"
    if expected.dtype != bool and (expected == 0).any() and (expected != 0).any() and right[expected != 0].all():
        yield "{it} is wrong only where 0 was expected"


def where_right(got, expected):
    if got.dtype == bool or expected.dtype == bool:
        return got == expected
    return are_close(got.astype(float), expected.astype(float), RTOL)


def right_along(right):
    """(Axis, one of it in words, several, which of them are right throughout), for axes along which some are."""
    for axis in range(right.ndim):
        whole = right.all(tuple(other for other in range(right.ndim) if other != axis))
        if len(whole) > 1 and whole.any() and not whole.all():
            yield axis, *places(right.ndim, axis - right.ndim), whole


def triangles(got, expected, given):
    """Only one half of a square table is there, along the diagonal: the other half is 0."""
    if bool in (got.dtype, expected.dtype) or expected.ndim < 2 or not expected.shape[-1] == expected.shape[-2] > 2:
        return
    for half, where, others in (
        (np.tril, "on and below", "above"),
        (np.triu, "on and above", "below"),
    ):
        rest = half(np.ones(expected.shape[-2:])) == 0
        if not got[..., rest].any() and (expected[..., rest] != 0).all():
            if same(got, half(expected)):
                yield f"{{it}} is right {where} the diagonal, and 0 {others} it"
            else:
                yield f"all numbers of {{it}} {others} the diagonal are 0, and should not be"


def outside_a_cross(got, expected, given):
    """Wrong in one row and in one column only."""
    if got.dtype == bool or expected.ndim < 2 or min(expected.shape[-2:]) < 2:
        return
    right = are_close(got.astype(float), expected.astype(float), RTOL).reshape(-1, *expected.shape[-2:]).all(0)
    for row in (0, -1):
        for column in (0, -1):
            rest = np.delete(np.delete(right, row, 0), column, 1)
            both = np.delete(right[row], column), np.delete(right[:, column], row)
            if rest.all() and not any(each.all() for each in both):
                words = "last" if row else "first", "last" if column else "first"
                clause = f"{{it}} is right outside the {words[0]} row and the {words[1]} column"
                yield Place(clause) if min(right.shape) > 2 else Weak(clause)
