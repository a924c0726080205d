"""Rules that find the expected numbers at wrong positions or in a wrong shape, or that say where wrong numbers are."""

import numpy as np

from autograder.judging.observe.clause import ArrayPair, Clause, Clauses, Example, rule
from autograder.judging.observe.numbers import are_weights
from autograder.judging.values.same import DIAGNOSIS_RTOL, are_close, are_equal

SMALL_SHARE = 1e-3  # numbers below this share of the largest one may be correct by coincidence

_TRANSPOSED = "{it} is the expected one, transposed. Did you swap two axes, or forget to swap them back?"
_TABLE = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 13]]


def _name_entries(ndim: int, axis: int) -> tuple[str, str]:
    """Return the words for entries along an axis, in singular and plural: ("row", "rows")."""
    if ndim == 1:
        return "element", "elements"
    if axis == -1:
        return "column", "columns"
    return ("row", "rows") if axis == -2 else (f"entry of axis {ndim + axis}", f"entries of axis {ndim + axis}")


@rule(
    Example(np.transpose(_TABLE), _TABLE, _TRANSPOSED),
    Example([_TABLE], _TABLE, "the numbers are correct, but {it} has an extra axis of size 1"),
    Example([1, 2], [[[1]], [[2]]], "the numbers are correct, but {it} is missing 2 axes of size 1"),
    Example(np.ravel(_TABLE), _TABLE, "the numbers are correct, but {it} has another shape"),
    Example(np.reshape(_TABLE, (2, 6))[::-1], _TABLE, "{it} has the expected numbers in other positions"),
    Example([[5, 1, 3], [2, 4, 6]], [[1, 2, 3], [4, 5, 6]], "{it} has the expected numbers in other positions"),
    accepts_booleans=True,
)
def find_moved_values(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    if got.size != expected.size or are_equal(got, expected):
        return
    extra = got.ndim - expected.ndim
    if expected.ndim > 1 and are_equal(got, expected.swapaxes(-2, -1)):
        yield Clause(_TRANSPOSED)
    elif extra and are_equal(got.squeeze(), expected.squeeze()):
        verb, axis_words = ("has", "an extra axis") if extra > 0 else ("is missing", "an axis")
        axes = axis_words if abs(extra) == 1 else f"{abs(extra)} {'extra ' * (extra > 0)}axes"
        yield Clause(f"the numbers are correct, but {{it}} {verb} {axes} of size 1", verb)
    elif are_equal(got.ravel(), expected.ravel()):
        yield Clause("the numbers are correct, but {it} has another shape")
    elif got.dtype != bool and expected.ndim > 1 and are_equal(np.sort(got.ravel()), np.sort(expected.ravel())):
        yield Clause("{it} has the expected numbers in other positions")


@rule(
    Example([_TABLE[1], _TABLE[0], _TABLE[2]], _TABLE, "{it} has the expected rows in another order"),
    accepts_booleans=True,
)
def find_reordered_axis(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    if are_equal(got, expected):
        return
    for axis in range(-expected.ndim, 0):
        if _is_order_significant(expected, axis) and are_equal(_sort_along(got, axis), _sort_along(expected, axis)):
            yield Clause(f"{{it}} has the expected {_name_entries(expected.ndim, axis)[1]} in another order")


def _is_order_significant(expected: np.ndarray, axis: int) -> bool:
    """Return whether sorted entries differ from 0, 1, 2, ..., which every permutation of positions would match."""
    if expected.dtype == bool:
        return len(np.unique(expected, axis=axis)) == expected.shape[axis] > 2
    return bool((np.sort(np.moveaxis(expected, axis, -1)) != np.arange(expected.shape[axis])).any())


def _sort_along(array: np.ndarray, axis: int) -> np.ndarray:
    """Return the array with the entries along an axis sorted by their contents."""
    flat = np.round(np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1).astype(float), 6)
    return np.take(array, np.lexsort(flat.T[::-1]), axis)


@rule(
    Example([*_TABLE[:2], [0] * 4], _TABLE, "{it} is correct except for the last row"),
    Example([[2, 2, 3], [0, 5, 6]], [[2, 2, 3], [0, 5, 6.5]], "{it} is correct except for the last column"),
    accepts_booleans=True,
)
def find_partly_correct(pair: ArrayPair) -> Clauses:
    expected, matches = pair.expected, _locate_correct(pair)
    tiny = SMALL_SHARE * np.abs(expected).max(initial=0)  # correct numbers of this size are no evidence
    if matches.all() or not (pair.has_booleans or (np.abs(expected[matches]) > tiny).any()):
        return
    for axis in range(matches.ndim):
        correct = np.asarray(matches.all(tuple(i for i in range(matches.ndim) if i != axis)))
        for at, words in ((0, "first"), (-1, "last")):
            if correct[at] or correct.sum() != len(correct) - 1 or len(correct) < 3:
                continue
            if np.diff(np.delete(expected, at, axis), axis=axis).any():  # If all others are equal, a shift is likelier.
                entry, _ = _name_entries(matches.ndim, axis - matches.ndim)
                yield Clause(f"{{it}} is correct except for the {words} {entry}")


@rule(Example(np.tri(3) + 1, np.tri(3), "{it} is not always 0 where `mask` is False", {"mask": np.tri(3, dtype=bool)}))
def find_unmasked_numbers(pair: ArrayPair) -> Clauses:
    """Yield a statement on numbers other than 0 at positions where a mask is False and 0 was expected."""
    shape = pair.expected.shape
    for name, mask in pair.arguments.items():
        fits = zip(mask.shape[::-1], shape[::-1], strict=False)
        if mask.dtype == bool and 0 < mask.ndim <= len(shape) and all(size in (1, length) for size, length in fits):
            is_hidden = ~np.broadcast_to(mask, shape)
            if pair.got[is_hidden].any() and not pair.expected[is_hidden].any():
                ask = ". Do you set these scores to `-inf` before softmax?" * are_weights(pair.expected)
                problem = f"is not always 0 where `{name}` is False{ask}"
                if np.isnan(pair.got[is_hidden.all(axis=-1)]).any():
                    problem = f"contains NaN instead of 0 in a row in which `{name}` is always False"
                yield Clause(f"{{it}} {problem}")


def _locate_correct(pair: ArrayPair) -> np.ndarray:
    if pair.has_booleans:
        return pair.got == pair.expected
    return are_close(pair.got.astype(float), pair.expected.astype(float), DIAGNOSIS_RTOL)


@rule(
    Example(_TABLE[1:], _TABLE, "1 row is missing from the beginning of {it}"),
    Example(_TABLE[:1], _TABLE, "2 rows are missing from the end of {it}"),
    Example(np.transpose(_TABLE)[3], _TABLE, "{it} is only the last column of the expected one"),
    Example(np.diagonal(_TABLE), _TABLE, "{it} is only the diagonal of the expected one"),
    accepts_booleans=True,
)
def find_sub_array(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    if got.ndim == expected.ndim - 1:
        for axis in range(-expected.ndim, 0):
            entry, _, of_axis = _name_entries(expected.ndim, axis)[0].partition(" ")
            for at, which in ((0, "first"), (-1, "last")):
                if expected.shape[axis] > 1 and are_equal(got, np.take(expected, at, axis)):
                    yield Clause(f"{{it}} is only {f'the {which} {entry} {of_axis}'.rstrip()} of the expected one")
        if expected.ndim > 1 and are_equal(got, np.diagonal(expected, axis1=-2, axis2=-1)):
            yield Clause("{it} is only the diagonal of the expected one")
    for axis in range(-got.ndim, 0) if got.ndim == expected.ndim else ():
        length, count = got.shape[axis], expected.shape[axis] - got.shape[axis]
        entry, entries = _name_entries(got.ndim, axis)
        for side, start in (("end", 0), ("beginning", count)) if count > 0 < length else ():
            if are_equal(got, np.take(expected, np.arange(start, start + length), axis)):
                missing = f"{count} {entries} are" if count > 1 else f"1 {entry} is"
                yield Clause(f"{missing} missing from the {side} of {{it}}", f"{entries} at the {side}")
