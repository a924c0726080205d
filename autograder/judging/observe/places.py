"""Expected numbers in other places, and places in which alone the numbers are right or wrong."""

from collections.abc import Iterator

import numpy as np

from autograder.judging.observe.clause import Clause, Clauses, Example, Pair, Strength, is_telling, names_along, rule
from autograder.judging.values.same import DIAGNOSIS_RTOL, are_close, same

MAX_NAMED = 2  # rows that are told by their numbers

_TABLE = [[1, 2, 3], [4, 5, 6], [7, 8, 10]]


@rule(Example(np.transpose(_TABLE), _TABLE, "{it} is what was expected, transposed"), of_booleans=True)
def transposed(pair: Pair) -> Clauses:
    got, expected = pair.got, pair.expected
    if expected.ndim > 1 and got.shape[-2:] == expected.shape[:-3:-1] and same(got, expected.swapaxes(-2, -1)):
        yield Clause("{it} is what was expected, transposed")


@rule(
    Example(_TABLE[::-1], _TABLE, "{it} is what was expected with its rows in reverse order"),
    Example([[4, 5, 6], [1, 2, 3], [7, 8, 10]], _TABLE, "{it} has the expected rows, in another order"),
    Example([[5, 4, 6], [2, 1, 3], [7, 8, 10]], _TABLE, "{it} has the expected numbers, in other places"),
    Example(
        [[9, 1, 2], [8, 4, 5], [0, 7, 8]],
        _TABLE,
        "{it} is what was expected with its columns moved on by one place: "
        "something has come in at the front, and the last is gone",
    ),
    Example(
        [9, 3, 5, 7, 8],
        [3, 5, 7, 8, 2],
        "{it} is what was expected with its numbers moved on by one place: "
        "something has come in at the front, and the last is gone",
    ),
    of_booleans=True,
)
def moved(pair: Pair) -> Clauses:
    got, expected = pair.got, pair.expected
    if same(got, expected):
        return
    for axis in range(-expected.ndim, 0):
        if expected.shape[axis] < 2:
            continue
        things = names_along(expected.ndim, axis)[1]
        if same(got, np.flip(expected, axis)):
            yield Clause(f"{{it}} is what was expected with its {things} in reverse order")
        elif _has_an_order(expected, axis) and same(_sorted(got, axis), _sorted(expected, axis)):
            yield Clause(f"{{it}} has the expected {things}, in another order")
        elif expected.dtype != bool:
            yield from _moved_on(np.moveaxis(got, axis, 0), np.moveaxis(expected, axis, 0), things)
    if got.dtype != bool and expected.ndim > 1 and same(np.sort(got.ravel()), np.sort(expected.ravel())):
        yield Clause("{it} has the expected numbers, in other places")


def _moved_on(got: np.ndarray, expected: np.ndarray, things: str) -> Clauses:
    """All in the next place, so that one has come in at the front and the last is gone."""
    if same(got[1:], expected[:-1]):
        is_plain = is_telling(expected[1:-1]) and not (same(got[:-1], expected[:-1]) or same(got[1:], expected[1:]))
        text = f"{{it}} is what was expected with its {things} moved on by one place: "
        text += "something has come in at the front, and the last is gone"
        yield Clause(text, strength=Strength.STRONG if is_plain else Strength.WEAK)


def _has_an_order(expected: np.ndarray, axis: int) -> bool:
    """Whether the same in another order is no coincidence: places are 0, 1, 2 and so on in whatever order."""
    if expected.dtype == bool:
        return len(np.unique(expected, axis=axis)) == expected.shape[axis] > 2
    return bool((np.sort(np.moveaxis(expected, axis, -1)) != np.arange(expected.shape[axis])).any())


def _sorted(array: np.ndarray, axis: int) -> np.ndarray:
    """The array with its rows, columns and so on in an order that depends on them alone."""
    flat = np.round(np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1).astype(float), 6)
    return np.take(array, np.lexsort(flat.T[::-1]), axis)


@rule(
    Example([[1, 2, 3], [4, 5, 6], [0, 0, 0]], _TABLE, "all of {it} is right but the last row"),
    Example([1, 0, 3, 4, 5], [1, 2, 3, 4, 5], "all of {it} is right but the number 1, counted from 0"),
    Example([[2, 2, 3], [0, 5, 6]], [[2, 2, 3], [0, 5, 6.5]], "all of {it} is right but the last column"),
    Example([1, 2, 3, 1], [1, 2, 3, 0], "{it} is wrong only where 0 was expected"),
    of_booleans=True,
)
def right_in_part(pair: Pair) -> Clauses:
    expected, right = pair.expected, where_right(pair)
    if right.all():
        return
    for axis, (thing, things), whole in right_along(right):
        for at, words in ((0, "first"), (-1, "last")):
            if not whole[at] and whole.sum() == len(whole) - 1 and len(whole) > 2:
                yield Clause(f"all of {{it}} is right but the {words} {thing}", strength=Strength.PLACE)
        wrong = np.flatnonzero(~whole)
        if 0 < len(wrong) <= min(MAX_NAMED, len(whole) // 2) and axis == expected.ndim - min(2, expected.ndim):
            named = f"{things if len(wrong) > 1 else thing} {' and '.join(map(str, wrong))}"
            yield Clause(f"all of {{it}} is right but the {named}, counted from 0", strength=Strength.PLACE)
    if expected.dtype != bool and (expected == 0).any() and (expected != 0).any() and right[expected != 0].all():
        yield Clause("{it} is wrong only where 0 was expected")


def where_right(pair: Pair) -> np.ndarray:
    if pair.has_booleans:
        return pair.got == pair.expected
    return are_close(pair.got.astype(float), pair.expected.astype(float), DIAGNOSIS_RTOL)


def right_along(right: np.ndarray) -> Iterator[tuple[int, tuple[str, str], np.ndarray]]:
    """(Axis, what lies along it, which of these are right throughout), for axes along which some are."""
    for axis in range(right.ndim):
        whole = np.asarray(right.all(tuple(other for other in range(right.ndim) if other != axis)))
        if len(whole) > 1 and whole.any() and not whole.all():
            yield axis, names_along(right.ndim, axis - right.ndim), whole


_LOWER = np.tri(3, dtype=bool)


@rule(
    Example(~_LOWER, _LOWER, "{it} is nowhere True where it should be"),
    Example(np.tri(3, k=1) > 0, _LOWER, "{it} has True above the diagonal where False was expected"),
    Example(np.tri(3, k=-1) > 0, _LOWER, "{it} has False on the diagonal where True was expected"),
    Example([[True, False, True]], [[True, False, False]], "{it} has True in column 2 where False was expected"),
    Example([True] * 3, [True, False, True], "{it} is True everywhere it should be, and in other places too"),
    of_booleans=True,
)
def where_true(pair: Pair) -> Clauses:
    """Where True and False stand in a mask, beside where they should."""
    got, expected = pair.got, pair.expected
    if got.dtype != bool or expected.dtype != bool or not got.ndim:
        return
    extra, lacking = got & ~expected, ~got & expected
    if got.any() and expected.any() and not (got & expected).any():
        yield Clause("{it} is nowhere True where it should be")
    phrases = [
        f"has {kind} {where} where {not kind} was expected"
        for kind, wrong in ((True, extra), (False, lacking))
        if (where := _region(wrong))
    ]
    if phrases:
        yield Clause(f"{{it}} {', and '.join(phrases)}")
    elif extra.any() and not lacking.any():
        yield Clause("{it} is True everywhere it should be, and in other places too")
    elif lacking.any() and not extra.any() and got.any():
        yield Clause("{it} is True only where it should be, but not in all of these places")


def _region(wrong: np.ndarray) -> str:
    """In words, where all that is wrong lies in a table; empty where that is no one place."""
    if not wrong.any() or wrong.ndim < 2:
        return ""
    rows, columns = wrong.shape[-2:]
    if rows == columns > 1:
        far = np.arange(columns) - np.arange(rows)[:, None]
        regions = {"on the diagonal": far == 0, "above the diagonal": far > 0, "below the diagonal": far < 0}
        for words, region in regions.items():
            if not wrong[..., ~region].any():
                return words
    at = np.flatnonzero(wrong.reshape(-1, columns).any(0))
    return f"in column {at[0]}" if len(at) == 1 and columns > 2 else ""
