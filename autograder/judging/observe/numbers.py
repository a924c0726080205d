"""Rules that compare the numbers of a wrong array with the expected numbers at the same positions."""

from collections.abc import Iterator

import numpy as np

from autograder.judging.observe.clause import ArrayPair, Clause, Clauses, Example, Strength, rule
from autograder.judging.values.same import DIAGNOSIS_RTOL, DIGITS_RTOL, HALF_RTOL, are_equal

MIN_POSITIVE_WEIGHTS = 3  # weights in a row; for two weights, some factor always fits
MAX_DECIMALS = 6  # rounding to more decimals is not reported

_WEIGHTS = np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])
_OTHER_SCALE = (
    "All scores for {it} are too large or too small by a factor that differs from call to call. What do you divide by?"
)


def _softmax(scores: np.ndarray) -> np.ndarray:
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


@rule(
    Example([0, 0, 0], [1, 2, 3], "{it} is 0 everywhere"),
    Example([0.0, 0], [0.3, 0.7], "{it} is 0 everywhere. Does `//` or an integer array truncate the fractions?"),
    Example([1e-17, 0], [0.3, 0.7], "{it} is 0 everywhere, except for rounding"),
    Example([False, False], [True, False], "{it} is False everywhere"),
    accepts_booleans=True,
)
def find_single_value(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    if got.size < 2 or (expected == expected.flat[0]).all():
        return
    if (got != got.flat[0]).any():
        if not pair.has_booleans and np.abs(got).max() < DIGITS_RTOL * np.abs(expected).max():
            yield Clause("{it} is 0 everywhere, except for rounding")
        return
    clause = f"{{it}} is {got.flat[0] if got.dtype == bool else f'{got.flat[0]:.4g}'} everywhere"
    if not got.any() and expected.dtype != bool and ((expected > 0) & (expected < 1)).all():
        yield Clause(f"{clause}. Does `//` or an integer array truncate the fractions?", clause)
    yield Clause(clause)


@rule(
    Example([2, 4, 7], [1, 2, 3.5], "{it} is the expected one times 2"),
    Example([-2, 4, 7], [2, -4, -7], "{it} is the expected one times -1"),
    Example([3, 6, 9], [1, 2, 3], "{it} is the expected one times 3, the size of axis -1 of `x`", {"x": [4, 5, 6]}),
    Example([3.7, 7.4], [1, 2], "{it} is the expected one times 3.7"),
    Example(8, 7, "{it} is the expected one plus 1"),
    Example([2, 4, 7], [2, -4, 7], "{it} is the expected one without its signs. Do you take an absolute value?"),
)
def find_constant_factor(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    if not (np.isfinite(got).all() and np.isfinite(expected).all()):
        return
    if (expected < 0).any() and are_equal(got, np.abs(expected)):
        yield Clause("{it} is the expected one without its signs. Do you take an absolute value?")
    clauses = list(_find_factor(got, expected, pair, "{it} is the expected one", Strength.STRONG))
    yield from clauses
    if clauses and expected.size > 1:
        text = "{it} is the expected one times a number that differs from call to call. What do you divide by?"
        yield Clause(text, strength=Strength.WEAK, spans_all_calls=True)
    offset = float((got - expected).mean())
    if offset and are_equal(got, expected + offset):
        yield Clause(f"{{it}} is the expected one plus {offset:.4g}", strength=Strength.WEAK)


@rule(
    Example(_softmax(_WEIGHTS), _WEIGHTS, "{it} is the softmax of the expected one. Do you apply softmax twice?"),
    Example(np.log(_WEIGHTS), _WEIGHTS, "the softmax of {it} is the expected one. Did you use `log_softmax`, or none?"),
    Example(_softmax(2 * np.log(_WEIGHTS)), _WEIGHTS, "{it} is the softmax of the expected scores times 2"),
    Example(_softmax(0.3 * np.log(_WEIGHTS)), _WEIGHTS, _OTHER_SCALE),
)
def find_score_variant(pair: ArrayPair) -> Clauses:
    """Yield a statement if softmax was applied twice or not at all, or if scores were scaled by another factor."""
    got, expected = pair.got, pair.expected
    if not are_weights(expected) or expected.shape[-1] < 2:
        return
    if are_equal(got, _softmax(expected)):
        yield Clause("{it} is the softmax of the expected one. Do you apply softmax twice?")
    elif are_equal(_softmax(got), expected):
        yield Clause("the softmax of {it} is the expected one. Did you use `log_softmax`, or none?")
    elif _are_ones(got.sum(-1)):
        is_positive = (got > 0) & (expected > 0)
        if (is_positive != ((got != 0) | (expected != 0))).any() or is_positive.sum(-1).max() < MIN_POSITIVE_WEIGHTS:
            return
        count = is_positive.sum(-1, keepdims=True)
        logs = [np.where(is_positive, np.log(np.where(is_positive, array, 1.0)), 0.0) for array in (got, expected)]
        got, expected = (np.where(is_positive, array - array.sum(-1, keepdims=True) / count, 0.0) for array in logs)
        begin = "{it} is the softmax of the expected scores"
        clauses = list(_find_factor(got, expected, pair, begin, Strength.WEAK))
        yield from clauses
        if clauses and (is_positive.sum(-1) - 1).clip(0).sum() > 1:
            yield Clause(_OTHER_SCALE, strength=Strength.WEAK, spans_all_calls=True)


def _fit_factor(got: np.ndarray, expected: np.ndarray) -> float:
    """Return the factor `f` for which ``f * expected`` is closest to `got` (least squares), 0 if `expected` is 0."""
    power = float((expected * expected).sum())
    return float((got * expected).sum()) / power if power else 0.0


def _find_factor(got: np.ndarray, expected: np.ndarray, pair: ArrayPair, begin: str, strength: Strength) -> Clauses:
    """Yield statements if `got` is a multiple of `expected`: likely reasons for the factor, then its number."""
    factor = _fit_factor(got, expected)
    if abs(factor) > DIAGNOSIS_RTOL < abs(factor - 1) and are_equal(got, factor * expected):
        for words, number, key in _list_factors(pair.arguments):
            if abs(factor / number - 1) < DIAGNOSIS_RTOL:
                yield Clause(f"{begin} {words}", f"{begin} {key}", strength)
        yield Clause(f"{begin} times {factor:.4g}", strength=Strength.WEAK)


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


_OF_INTEGERS = "{it} is an integer array, so everything after the decimal point is lost. Use a float array"
FIRST_DIGITS = "only the first digits of {it} are correct. Do you round, approximate, or use a less precise dtype?"
_OF_HIDDEN = "{it} is nearly correct. Does anything that the mask hides still count a little, or do you round?"


@rule(
    Example([1.0, -2], [1.7, -2.3], "{it} is the expected one, truncated to integers"),
    Example([0.33, 0.67], [1 / 3, 2 / 3], "{it} is the expected one, rounded to 2 decimals"),
    Example(
        np.array([1 / 3, 2 / 7], np.float16), [1 / 3, 2 / 7], "{it} has dtype float16, which keeps about three digits"
    ),
    Example([1, 2], [1.7, 2.3], _OF_INTEGERS),
    Example(
        np.array([0.3335, 0.6665], np.float32),
        [1 / 3, 2 / 3],
        "{it} has dtype float32, which keeps about seven digits, but the input is float64",
        {"x": [0.25, 0.5]},
    ),
    Example([0.33351, 0.66649], [1 / 3, 2 / 3], FIRST_DIGITS),
    Example([0.33351, 0.66649], [1 / 3, 2 / 3], _OF_HIDDEN, {"mask": [True, False]}),
)
def find_rounding(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    numbers = got.astype(float)
    is_exact = np.isfinite(expected).all() and np.abs(numbers - expected).max() < 1e-9
    if not np.isfinite(expected).all() or is_exact or are_equal(expected, np.round(expected)):
        return
    if (numbers == np.trunc(expected)).all():
        if got.dtype.kind in "iu" and got.size > 1 and got.any():
            yield Clause(_OF_INTEGERS, strength=Strength.PLAIN)
        yield Clause("{it} is the expected one, truncated to integers")
    is_one_or_zero = np.isin(numbers, (0, 1)).all()  # 0 and 1 do not show to how many decimals they were rounded.
    for digits in range(1 if is_one_or_zero else 0, MAX_DECIMALS + 1):
        if np.abs(numbers - np.round(expected, digits)).max() < 1e-9:
            precision = f"{digits} decimals" if digits else "whole numbers"
            yield Clause(f"{{it}} is the expected one, rounded to {precision}")
            return
    if not are_equal(got, expected, HALF_RTOL):
        return
    if got.dtype == np.float16:
        yield Clause("{it} has dtype float16, which keeps about three digits", strength=Strength.PLAIN)
    elif got.dtype == np.float32 and {array.dtype for array in pair.arguments.values()} == {np.dtype(float)}:
        text = "{it} has dtype float32, which keeps about seven digits, but the input is float64"
        yield Clause(text, strength=Strength.PLAIN)
    elif not are_equal(got, expected, 1e-6):
        # Leave out multiples of the expected array: they have a wrong scale, and are not rounded.
        residue = np.abs(numbers - _fit_factor(numbers, expected) * expected).max()
        if got.size == 1 or residue >= 1e-9 * np.abs(numbers).max():
            hides = any(array.dtype == bool and not array.all() for array in pair.arguments.values())
            yield Clause(_OF_HIDDEN if hides else FIRST_DIGITS, FIRST_DIGITS, Strength.WEAK)


@rule(
    Example([0.5, 0.4], [0.4, 0.6], "{it} sums to 0.9 instead of 1"),
    Example([[0.5, 0.5], [np.nan, 0.5]], [[0.4, 0.6]] * 2, "a row of {it} contains NaN"),
    Example([[0.5, 0.4], [0.5, 0.5]], [[0.4, 0.6]] * 2, "a row of {it} sums to 0.9 instead of 1"),
    Example([[0.2, 0.1], [0.8, 0.9]], [[0.4, 0.6]] * 2, "every column of {it} sums to 1, but the rows should"),
    Example([[0.2, 0.1], [0.3, 0.4]], [[0.4, 0.6]] * 2, "all numbers of {it} together sum to 1, but the rows should"),
)
def find_axis_sums(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    if not are_weights(expected) or _are_ones(got.sum(-1)):
        return
    if expected.ndim > 1 and _are_ones(got.sum(-2)):
        yield Clause("every column of {it} sums to 1, but the rows should")
    elif expected.ndim > 1 and _are_ones(got.sum((-2, -1))):
        yield Clause("all numbers of {it} together sum to 1, but the rows should")
    else:
        sums = got.sum(-1).ravel()
        index = int(np.argmax(np.abs(sums - 1)))
        subject = "a row of {it}" if expected.ndim > 1 else "{it}"
        if np.isnan(sums[index]):
            yield Clause(f"{subject} contains NaN")
        else:
            yield Clause(f"{subject} sums to {sums[index]:.4g} instead of 1", f"{subject} does not sum to 1")


def are_weights(expected: np.ndarray) -> bool:
    """Return whether every row sums to 1."""
    return expected.ndim > 0 and expected.size > 0 and _are_ones(expected.sum(-1))


def _are_ones(sums: np.ndarray) -> bool:
    return bool(np.all(np.abs(sums - 1) < DIAGNOSIS_RTOL))
