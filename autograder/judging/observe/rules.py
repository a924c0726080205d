"""Rules that find statements about a wrong array: its numbers at the same positions, or the expected ones elsewhere."""

from collections.abc import Iterator

import numpy as np

from autograder.judging.observe.comparison import ArrayPair, Clause, Clauses, Example, rule
from autograder.judging.values.same import DIAGNOSIS_RTOL, HALF_RTOL, are_close, are_equal

SMALL_SHARE = 1e-3  # numbers below this share of the largest one may be correct by coincidence
MAX_DECIMALS = 6  # rounding to more decimals is not reported


@rule(
    Example([2, 4, 7], [1, 2, 3.5], "{it} is the expected one times 2"),
    Example([-2, 4, 7], [2, -4, -7], "{it} is the expected one times -1"),
    Example([3, 6, 9], [1, 2, 3], "{it} is the expected one times 3, the size of axis -1 of `x`", {"x": [4, 5, 6]}),
    Example([3.7, 7.4], [1, 2], "{it} is the expected one times 3.7"),
)
def find_constant_factor(pair: ArrayPair) -> Clauses:
    """Yield statements if the result is a multiple of the expected one: likely reasons for the factor, its number."""
    got, expected = pair.got, pair.expected
    if not (np.isfinite(got).all() and np.isfinite(expected).all()):
        return
    factor = _fit_factor(got, expected)
    if abs(factor) > DIAGNOSIS_RTOL < abs(factor - 1) and are_equal(got, factor * expected):
        begin = "{it} is the expected one"
        for words, number, key in _list_factors(pair.arguments):
            if abs(factor / number - 1) < DIAGNOSIS_RTOL:
                yield Clause(f"{begin} {words}", f"{begin} {key}")
        yield Clause(f"{begin} times {factor:.4g}", is_weak=True)


def _fit_factor(got: np.ndarray, expected: np.ndarray) -> float:
    """Return the factor `f` for which ``f * expected`` is closest to `got` (least squares), 0 if `expected` is 0."""
    power = float((expected * expected).sum())
    return float((got * expected).sum()) / power if power else 0.0


def _list_factors(arguments: dict[str, np.ndarray]) -> Iterator[tuple[str, float, str]]:
    """Yield (words, factor, key) for each factor that can result from a missing or repeated scaling."""
    for words, number in (("times 2", 2.0), ("times 1/2", 0.5), ("times -1", -1.0)):
        yield words, number, words
    for name, array in arguments.items():
        for axis in range(-1, -array.ndim - 1, -1):
            if (size := array.shape[axis]) > 1:
                length = f"the size of axis {axis} of `{name}`"
                for phrase, number in (("the square root of ", size**0.5), ("", float(size))):
                    yield f"times {phrase}{size}, {length}", number, f"times {phrase}{length}"
                    yield f"divided by {phrase}{size}, {length}", 1 / number, f"divided by {phrase}{length}"


FIRST_DIGITS = "only the first digits of {it} are correct. Do you round, approximate, or use a less precise dtype?"
_OF_INTEGERS = "{it} is an integer array, so everything after the decimal point is lost. Use a float array"


@rule(
    Example([0.33, 0.67], [1 / 3, 2 / 3], "{it} is the expected one, rounded to 2 decimals"),
    Example([1, 2], [1.7, 2.3], _OF_INTEGERS),
    Example(
        np.array([1 / 3, 2 / 7], np.float16), [1 / 3, 2 / 7], "{it} has dtype float16, which keeps about three digits"
    ),
    Example([0.33351, 0.66649], [1 / 3, 2 / 3], FIRST_DIGITS),
)
def find_rounding(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    numbers = got.astype(float)
    is_exact = np.isfinite(expected).all() and np.abs(numbers - expected).max() < 1e-9
    if not np.isfinite(expected).all() or is_exact or are_equal(expected, np.round(expected)):
        return
    if got.dtype.kind in "iu" and got.size > 1 and got.any() and (numbers == np.trunc(expected)).all():
        yield Clause(_OF_INTEGERS, is_certain=True)
    for digits in range(1, MAX_DECIMALS + 1):
        if np.abs(numbers - np.round(expected, digits)).max() < 1e-9:
            yield Clause(f"{{it}} is the expected one, rounded to {digits} decimals")
            return
    if not are_equal(got, expected, HALF_RTOL):
        return
    if got.dtype == np.float16:
        yield Clause("{it} has dtype float16, which keeps about three digits", is_certain=True)
    elif not are_equal(got, expected, 1e-6):
        # Leave out multiples of the expected array: they have a wrong scale, and are not rounded.
        residue = np.abs(numbers - _fit_factor(numbers, expected) * expected).max()
        if got.size == 1 or residue >= 1e-9 * np.abs(numbers).max():
            yield Clause(FIRST_DIGITS, is_weak=True)


@rule(
    Example([0.5, 0.4], [0.4, 0.6], "{it} sums to 0.9 instead of 1"),
    Example([[0.5, 0.4], [0.5, 0.5]], [[0.4, 0.6]] * 2, "a row of {it} sums to 0.9 instead of 1"),
    Example([[0.2, 0.1], [0.8, 0.9]], [[0.4, 0.6]] * 2, "every column of {it} sums to 1, but the rows should"),
)
def find_axis_sums(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    if not are_weights(expected) or _are_ones(got.sum(-1)):
        return
    if expected.ndim > 1 and _are_ones(got.sum(-2)):
        yield Clause("every column of {it} sums to 1, but the rows should")
    elif not np.isnan(got).any():
        sums = got.sum(-1).ravel()
        index = int(np.argmax(np.abs(sums - 1)))
        subject = "a row of {it}" if expected.ndim > 1 else "{it}"
        yield Clause(f"{subject} sums to {sums[index]:.4g} instead of 1", f"{subject} does not sum to 1")


def are_weights(expected: np.ndarray) -> bool:
    """Return whether every row sums to 1."""
    return expected.ndim > 0 and expected.size > 0 and _are_ones(expected.sum(-1))


def _are_ones(sums: np.ndarray) -> bool:
    return bool(np.all(np.abs(sums - 1) < DIAGNOSIS_RTOL))


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
    Example(np.ravel(_TABLE), _TABLE, "the numbers are correct, but {it} has another shape"),
    Example(np.reshape(_TABLE, (2, 6))[::-1], _TABLE, "{it} has the expected numbers in other positions"),
    Example([[5, 1, 3], [2, 4, 6]], [[1, 2, 3], [4, 5, 6]], "{it} has the expected numbers in other positions"),
    accepts_booleans=True,
)
def find_moved_values(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    if got.size != expected.size or are_equal(got, expected):
        return
    has_order = expected.ndim > 1 or expected.dtype.kind == "f"  # Every permutation of positions has the same integers.
    if expected.ndim > 1 and are_equal(got, expected.swapaxes(-2, -1)):
        yield Clause(_TRANSPOSED)
    elif are_equal(got.ravel(), expected.ravel()):
        yield Clause("the numbers are correct, but {it} has another shape")
    elif has_order and got.dtype != bool and are_equal(np.sort(got, None), np.sort(expected, None)):
        yield Clause("{it} has the expected numbers in other positions")


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


def _locate_correct(pair: ArrayPair) -> np.ndarray:
    if pair.has_booleans:
        return pair.got == pair.expected
    return are_close(pair.got.astype(float), pair.expected.astype(float), DIAGNOSIS_RTOL)


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
