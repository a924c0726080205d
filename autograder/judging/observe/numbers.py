"""Rules that compare the numbers of a wrong array with the expected numbers at the same positions."""

from collections.abc import Iterator

import numpy as np

from autograder.judging.observe.clause import ArrayPair, Clause, Clauses, Example, Strength, rule
from autograder.judging.values.same import DIAGNOSIS_RTOL, HALF_RTOL, are_equal

MAX_DECIMALS = 6  # rounding to more decimals is not reported

_WEIGHTS = np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])


def _softmax(scores: np.ndarray) -> np.ndarray:
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


@rule(
    Example([0, 0, 0], [1, 2, 3], "{it} is 0 everywhere"),
    Example([False, False], [True, False], "{it} is False everywhere"),
    accepts_booleans=True,
)
def find_single_value(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    if got.size > 1 and (got == got.flat[0]).all() and (expected != expected.flat[0]).any():
        yield Clause(f"{{it}} is {got.flat[0] if got.dtype == bool else f'{got.flat[0]:.4g}'} everywhere")


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
        yield Clause(f"{begin} times {factor:.4g}", strength=Strength.WEAK)
        if expected.size > 1:
            text = f"{begin} times a number that differs from call to call. What do you divide by?"
            yield Clause(text, strength=Strength.WEAK, spans_all_calls=True)


@rule(
    Example(_softmax(_WEIGHTS), _WEIGHTS, "{it} is the softmax of the expected one. Do you apply softmax twice?"),
    Example(np.log(_WEIGHTS), _WEIGHTS, "the softmax of {it} is the expected one. Did you use `log_softmax`, or none?"),
)
def find_score_variant(pair: ArrayPair) -> Clauses:
    """Yield a statement if softmax was applied twice or not at all."""
    got, expected = pair.got, pair.expected
    if not are_weights(expected) or expected.shape[-1] < 2:
        return
    if are_equal(got, _softmax(expected)):
        yield Clause("{it} is the softmax of the expected one. Do you apply softmax twice?")
    elif are_equal(_softmax(got), expected):
        yield Clause("the softmax of {it} is the expected one. Did you use `log_softmax`, or none?")


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


_OF_INTEGERS = "{it} is an integer array, so everything after the decimal point is lost. Use a float array"
FIRST_DIGITS = "only the first digits of {it} are correct. Do you round, approximate, or use a less precise dtype?"


@rule(
    Example([0.33, 0.67], [1 / 3, 2 / 3], "{it} is the expected one, rounded to 2 decimals"),
    Example(
        np.array([1 / 3, 2 / 7], np.float16), [1 / 3, 2 / 7], "{it} has dtype float16, which keeps about three digits"
    ),
    Example([1, 2], [1.7, 2.3], _OF_INTEGERS),
    Example([0.33351, 0.66649], [1 / 3, 2 / 3], FIRST_DIGITS),
)
def find_rounding(pair: ArrayPair) -> Clauses:
    got, expected = pair.got, pair.expected
    numbers = got.astype(float)
    is_exact = np.isfinite(expected).all() and np.abs(numbers - expected).max() < 1e-9
    if not np.isfinite(expected).all() or is_exact or are_equal(expected, np.round(expected)):
        return
    if got.dtype.kind in "iu" and got.size > 1 and got.any() and (numbers == np.trunc(expected)).all():
        yield Clause(_OF_INTEGERS, strength=Strength.PLAIN)
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
    elif not are_equal(got, expected, 1e-6):
        # Leave out multiples of the expected array: they have a wrong scale, and are not rounded.
        residue = np.abs(numbers - _fit_factor(numbers, expected) * expected).max()
        if got.size == 1 or residue >= 1e-9 * np.abs(numbers).max():
            yield Clause(FIRST_DIGITS, strength=Strength.WEAK)


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
