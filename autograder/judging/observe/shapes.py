"""How a wrong array of another shape is related to the expected one."""

import itertools

import numpy as np

from autograder.judging.observe.clause import Clause, Clauses, Example, Pair, names_along, rule
from autograder.judging.values.same import same

MAX_ROWS = 100  # that are looked at, to find a result that is one of them

_TABLE = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 13]]
_LARGER = np.arange(25.0).reshape(5, 5)
_EVERY_SECOND = "{it} holds every second column of what was expected: the first, third, fifth and so on"


@rule(
    Example([_TABLE], _TABLE, "{it} has the expected numbers, and an axis of length 1 too many"),
    Example([1, 2], [[[1]], [[2]]], "{it} has the expected numbers, and 2 axes of length 1 too few"),
    Example([True, False], [[True, False]], "{it} has the expected entries, and an axis of length 1 too few"),
    of_booleans=True,
)
def axes_of_one(pair: Pair) -> Clauses:
    extra = pair.got.ndim - pair.expected.ndim
    if extra and same(pair.got.squeeze(), pair.expected.squeeze()):
        has = f"{{it}} has the expected {'entries' if pair.expected.dtype == bool else 'numbers'}, and"
        how = f"{count_axes_of_one(extra)} too {'many' if extra > 0 else 'few'}"
        yield Clause(f"{has} {how}", f"{has} axes of length 1 {'too many' * (extra > 0)}")


def count_axes_of_one(count: int) -> str:
    """So many of them, of either sign, in words."""
    return f"{'an axis' if abs(count) == 1 else f'{abs(count)} axes'} of length 1"


@rule(
    Example(np.transpose(_TABLE), _TABLE, "{it} is what was expected, transposed"),
    Example(np.ravel(_TABLE), _TABLE, "{it} has the expected numbers in the right order, in another shape"),
    Example(np.reshape(_TABLE, (2, 6))[::-1], _TABLE, "{it} has the expected numbers, in another shape and order"),
    of_booleans=True,
)
def turned(pair: Pair) -> Clauses:
    got, expected = pair.got, pair.expected
    if got.ndim == expected.ndim > 1 and same(got, expected.swapaxes(-2, -1)):
        yield Clause("{it} is what was expected, transposed")
    elif got.size == expected.size and same(got.ravel(), expected.ravel()):
        yield Clause("{it} has the expected numbers in the right order, in another shape")
    elif got.size == expected.size and got.dtype != bool and same(np.sort(got.ravel()), np.sort(expected.ravel())):
        yield Clause("{it} has the expected numbers, in another shape and order")


@rule(
    Example(_LARGER[:3, :3], _LARGER, "{it} is only the beginning of what was expected along each axis, 3 by 3"),
    Example(_LARGER[:, ::2], _LARGER, _EVERY_SECOND),
    Example(_TABLE[1:], _TABLE, "{it} is right but for 1 row too few at the beginning"),
    Example(_TABLE + [[0] * 4] * 2, _TABLE, "{it} is right but for 2 rows too many at the end"),
    Example(_TABLE[1], _TABLE, "{it} is only row 1 (counted from 0) of what was expected"),
    Example(np.transpose(_TABLE)[3], _TABLE, "{it} is only the last column of what was expected"),
    Example(np.diag(_LARGER), _LARGER, "{it} is only the diagonal of what was expected"),
    of_booleans=True,
)
def a_part(pair: Pair) -> Clauses:
    got, expected = pair.got, pair.expected
    if got.ndim == expected.ndim - 1:
        yield from _one_of_many(got, expected)
    if got.ndim != expected.ndim or not expected.ndim:
        return
    is_smaller = [less < more for less, more in zip(got.shape, expected.shape, strict=True)]
    if sum(is_smaller) > 1 and same(got, expected[tuple(map(slice, got.shape))]):
        along = "{it} is only the beginning of what was expected along each axis"
        yield Clause(f"{along}, {' by '.join(map(str, got.shape))}", along)
    if expected.shape[-1] > 3 and same(got, expected[..., ::2]):
        yield Clause(_EVERY_SECOND)
    for axis in range(-got.ndim, 0):
        more, less = (got, expected) if got.shape[axis] > expected.shape[axis] else (expected, got)
        extra = more.shape[axis] - less.shape[axis]
        if not extra or not less.shape[axis]:
            continue
        things = names_along(got.ndim, axis)[extra > 1]
        for where, part in (("end", np.arange(less.shape[axis])), ("beginning", np.arange(extra, more.shape[axis]))):
            if same(np.take(more, part, axis), less):
                word = "too many" if more is got else "too few"
                yield Clause(f"{{it}} is right but for {extra} {things} {word} at the {where}")


def _one_of_many(got: np.ndarray, expected: np.ndarray) -> Clauses:
    """One row, one column or one entry of a batch, where all of them were expected; or the diagonal."""
    for axis in range(-expected.ndim, 0):
        last = expected.shape[axis] - 1
        for at, part in enumerate(np.moveaxis(expected, axis, 0)[:MAX_ROWS]):
            if last and same(got, part):
                thing, _, of_axis = names_along(expected.ndim, axis)[0].partition(" ")
                which = {0: f"the first {thing}", last: f"the last {thing}"}.get(at, f"{thing} {at}")
                counted = " (counted from 0)" if 0 < at < last else ""
                yield Clause(f"{{it}} is only {f'{which} {of_axis}'.rstrip()}{counted} of what was expected")
    if expected.ndim > 1 and same(got, expected.diagonal(axis1=-2, axis2=-1)):
        yield Clause("{it} is only the diagonal of what was expected")


def axes_in_letters(pair: Pair, letters: dict[str, int], wanted: list[str]) -> list[str]:
    """Which axes of a wrong shape are as long as what, in the letters of the exercise, of which `wanted` are expected.

    More than one sentence where axes of several letters are equally long.
    """
    got, expected = pair.got, pair.expected
    first = expected.ndim - len(wanted)
    if got.ndim != expected.ndim or [letters.get(letter) for letter in wanted] != [*expected.shape[first:]]:
        return []
    axes = [axis for axis in range(got.ndim) if got.shape[axis] != expected.shape[axis]]
    if not axes or axes[0] < first:
        return []
    phrases = [
        [
            f"axis {axis} is as long as {letter}, not {wanted[axis - first]}"
            for letter, size in letters.items()
            if size == got.shape[axis]
        ]
        for axis in axes
    ]
    return [" and ".join(choice) for choice in itertools.product(*phrases)]
