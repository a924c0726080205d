"""How the numbers of a wrong array are related to the expected ones, in the same places."""

from collections.abc import Iterator

import numpy as np

from autograder.judging.observe.clause import (
    Clause,
    Clauses,
    Example,
    Pair,
    Strength,
    are_ones,
    is_telling,
    rule,
    softmax,
)
from autograder.judging.values.same import DIAGNOSIS_RTOL, DIGITS_RTOL, HALF_RTOL, same

MAX_DIGITS = 6  # decimals that are told; what is rounded to more looks right

_TABLE, _WEIGHTS = [[1.5, -2, 0.25], [4, 0.5, -3]], [[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]]


@rule(
    Example([0, 0, 0], [1, 2, 3], "{it} is 0 everywhere"),
    Example([0.0, 0], [0.3, 0.7], "{it} is 0 everywhere, as where `//` or an array of integers cuts off fractions"),
    Example([1e-17, 0], [0.3, 0.7], "{it} is 0 everywhere but for rounding"),
    Example([False, False], [True, False], "{it} is False everywhere"),
    of_booleans=True,
)
def one_number(pair: Pair) -> Clauses:
    got, expected = pair.got, pair.expected
    if got.size < 2 or (expected == expected.flat[0]).all():
        return
    clause = f"{{it}} is {_plain(got.flat[0])} everywhere"
    if (got == got.flat[0]).all():
        if not got.any() and expected.dtype != bool and ((expected > 0) & (expected < 1)).all():
            yield Clause(f"{clause}, as where `//` or an array of integers cuts off fractions", clause)
        yield Clause(clause)
    elif not pair.has_booleans and np.abs(got).max() < DIGITS_RTOL * np.abs(expected).max():
        yield Clause("{it} is 0 everywhere but for rounding")


@rule(Example([1, 2, 4], [3, 5, 7], "{it} is the argument keys, unchanged", {"keys": [1, 2, 4]}), of_booleans=True)
def an_argument(pair: Pair) -> Clauses:
    for name, array in pair.arguments.items():
        if same(pair.got, array):
            yield Clause(f"{{it}} is the argument {name}, unchanged")


@rule(
    Example([True, False], [False, True], "{it} is what was expected with True and False exchanged"),
    of_booleans=True,
)
def inverted(pair: Pair) -> Clauses:
    if pair.got.dtype == bool and same(pair.got, ~pair.expected):
        yield Clause("{it} is what was expected with True and False exchanged")


@rule(
    Example(np.negative(_TABLE), _TABLE, "{it} is what was expected with the sign turned round"),
    Example(np.log(_WEIGHTS), _WEIGHTS, "softmax along the last axis turns {it} into what was expected"),
    Example(softmax(np.array(_TABLE)), _TABLE, "{it} is what was expected, put through softmax once more"),
)
def a_function(pair: Pair) -> Clauses:
    got, expected = pair.got, pair.expected
    if same(got, -expected):
        yield Clause("{it} is what was expected with the sign turned round")
    if expected.ndim and expected.shape[-1] > 1:
        if same(got, softmax(expected)):
            yield Clause("{it} is what was expected, put through softmax once more")
        if same(softmax(got), expected):
            yield Clause("softmax along the last axis turns {it} into what was expected")


@rule(
    Example([2, 4, 7], [1, 2, 3.5], "{it} is what was expected times 2"),
    Example([3, 6, 9], [1, 2, 3], "{it} is what was expected times 3, the length of axis -1 of x", {"x": [4, 5, 6]}),
    Example([3.7, 7.4], [1, 2], "{it} is what was expected times 3.7"),
    Example(8, 7, "{it} is what was expected plus 1"),
    Example([[1, 2], [6, 8]], [[1, 2], [3, 4]], "every row of {it} is the expected one times a number of its own"),
)
def a_factor(pair: Pair) -> Clauses:
    got, expected = pair.got, pair.expected
    if not pair.is_finite:
        return
    factor = _ratio(got, expected)
    if abs(factor) > DIAGNOSIS_RTOL < abs(factor - 1) and same(got, factor * expected):
        yield from _known_factors("{it} is what was expected", factor, pair)
        yield Clause(f"{{it}} is what was expected times {factor:.4g}", strength=Strength.WEAK)
        if expected.size > 1:
            text = "{it} is what was expected times one number, another one in other calls: by what is it divided?"
            yield Clause(text, strength=Strength.WEAK)
    offset = float((got - expected).mean())
    if offset and same(got, expected + offset):
        yield Clause(f"{{it}} is what was expected plus {offset:.4g}", strength=Strength.WEAK)
    if expected.ndim > 1 and expected.shape[-1] > 1:
        factors = (got * expected).sum(-1, keepdims=True) / (expected * expected).sum(-1, keepdims=True)
        is_varied = (np.abs(factors) > DIAGNOSIS_RTOL).all() and np.ptp(factors) > DIAGNOSIS_RTOL
        if is_varied and same(got, factors * expected):
            yield Clause("every row of {it} is the expected one times a number of its own")


@rule(
    Example(softmax(2 * np.log(_WEIGHTS)), _WEIGHTS, "{it} belongs to scores that are the expected ones times 2"),
    Example(
        softmax(0.3 * np.log(_WEIGHTS)),
        _WEIGHTS,
        "{it} belongs to scores whose scale is wrong, by another factor from call to call: by what do you divide?",
    ),
)
def a_temperature(pair: Pair) -> Clauses:
    """Weights of scores that were scaled otherwise: their logarithms have other distances, all by one factor."""
    got, expected = pair.got, pair.expected
    if not expected.ndim or not (are_ones(got.sum(-1)) and are_ones(expected.sum(-1))):
        return
    seen = (got > 0) & (expected > 0)
    count = seen.sum(-1, keepdims=True)
    logs = [np.where(seen, np.log(np.where(seen, array, 1.0)), 0.0) for array in (got, expected)]
    centred = [np.where(seen, array - array.sum(-1, keepdims=True) / count, 0.0) for array in logs]
    factor = _ratio(*centred)
    if abs(factor) > DIAGNOSIS_RTOL < abs(factor - 1) and same(centred[0], factor * centred[1]):
        scores = "{it} belongs to scores that are the expected ones"
        yield from _known_factors(scores, factor, pair)
        yield Clause(f"{scores} times {factor:.4g}", strength=Strength.WEAK)
        if (seen.sum(-1) - 1).clip(0).sum() > 1:
            whose = "{it} belongs to scores whose scale is wrong, by another factor from call to call"
            yield Clause(f"{whose}: by what do you divide?", strength=Strength.WEAK)


def _ratio(got: np.ndarray, expected: np.ndarray) -> float:
    """By how much the expected numbers are multiplied, as well as one number can do it."""
    power = float((expected * expected).sum())
    return float((got * expected).sum()) / power if power else 0.0


def _known_factors(what: str, factor: float, pair: Pair) -> Clauses:
    """Where a factor is one that a forgotten or doubled scale leaves."""
    for words, number, key in _factors(pair.arguments):
        if abs(factor / number - 1) < DIAGNOSIS_RTOL:
            yield Clause(f"{what} {words}", f"{what} {key}")


def _factors(arguments: dict[str, np.ndarray]) -> Iterator[tuple[str, float, str]]:
    """(Words, number, what holds in all calls) of factors."""
    yield from (("times 2", 2.0, "times 2"), ("times 1/2", 0.5, "times 1/2"))
    for name, array in arguments.items():
        for axis in range(-1, -array.ndim - 1, -1):
            if (size := array.shape[axis]) > 1:
                length = f"the length of axis {axis} of {name}"
                yield f"times the square root of {size}, {length}", size**0.5, f"times root {length}"
                yield f"divided by the square root of {size}, {length}", size**-0.5, f"divided by root {length}"
                yield f"times {size}, {length}", float(size), f"times {length}"
                yield f"divided by {size}, {length}", 1 / size, f"divided by {length}"


@rule(
    Example([1.0, -2], [1.7, -2.3], "{it} is what was expected, cut off after the decimal point"),
    Example([0.33, 0.67], [1 / 3, 2 / 3], "{it} is what was expected, rounded to 2 decimals"),
    Example(np.array([1 / 3, 2 / 7], np.float16), [1 / 3, 2 / 7], "{it} is of dtype float16, which holds three digits"),
    Example(
        [1, 2],
        [1.7, 2.3],
        "{it} is what was expected, cut off after the decimal point, and holds integers: make it of floats",
    ),
    Example(
        np.array([0.3335, 0.6665], np.float32),
        [1 / 3, 2 / 3],
        "{it} is of dtype float32, which holds seven digits, and what came in is float64",
        {"x": [0.25, 0.5]},
    ),
    Example(
        [0.33351, 0.66649],
        [1 / 3, 2 / 3],
        "{it} is right to its first three digits and no further: "
        "is something rounded, or worked out in a dtype of fewer digits?",
    ),
)
def rounded(pair: Pair) -> Clauses:
    got, expected = pair.got, pair.expected
    exact = got.astype(float)
    is_exact = np.isfinite(expected).all() and np.abs(exact - expected).max() < 1e-9
    if not np.isfinite(expected).all() or is_exact or same(expected, np.round(expected)):
        return
    if (exact == np.trunc(expected)).all():
        clause = "{it} is what was expected, cut off after the decimal point"
        if got.dtype.kind in "iu" and got.size > 1 and got.any():
            yield Clause(f"{clause}, and holds integers: make it of floats", strength=Strength.PLAIN)
        yield Clause(clause)
    is_one_or_zero = np.isin(exact, (0, 1)).all()  # of such numbers nobody can say how they were rounded
    for digits in range(1 if is_one_or_zero else 0, MAX_DIGITS + 1):
        if np.abs(exact - np.round(expected, digits)).max() < 1e-9:
            to = f"{digits} decimals" if digits else "whole numbers"
            yield Clause(f"{{it}} is what was expected, rounded to {to}")
            return
    if not same(got, expected, HALF_RTOL):
        return
    if got.dtype == np.float16:
        yield Clause("{it} is of dtype float16, which holds three digits")
    elif is_of_fewer_digits(pair):
        yield Clause(OF_FLOAT32, strength=Strength.PLAIN)
    elif not same(got, expected, 1e-6) and not _is_multiple(exact, expected):
        text = "{it} is right to its first three digits and no further: "
        text += "is something rounded, or worked out in a dtype of fewer digits?"
        yield Clause(text, strength=Strength.ALONE)


OF_FLOAT32 = "{it} is of dtype float32, which holds seven digits, and what came in is float64"


def is_of_fewer_digits(pair: Pair) -> bool:
    """Whether float32 came back where everything that came in is float64."""
    kinds = {array.dtype for array in pair.arguments.values() if array.dtype.kind == "f"}
    return pair.got.dtype == np.float32 and kinds == {np.dtype(np.float64)}


def _is_multiple(got: np.ndarray, expected: np.ndarray) -> bool:
    """Whether it is the expected numbers times one number, to more digits than are left where something is rounded."""
    return got.size > 1 and bool(np.abs(got - _ratio(got, expected) * expected).max() < 1e-9 * np.abs(got).max())


@rule(
    Example(
        [0, 2 / 9, 0, 1 / 9],
        [0.5, 0.2, 0.2, 0.1],
        "some numbers of {it} are 0, and all others the expected ones times 1.111, as after dropout",
    )
)
def dropped(pair: Pair) -> Clauses:
    """What dropout does to weights: some are 0, and all others grow by the same factor."""
    got, expected = pair.got, pair.expected
    kept = (got != 0) & (expected != 0)
    if expected.size < 4 or kept.sum() < 2 or not ((got == 0) & (expected != 0)).any() or got[~kept].any():
        return
    factors = got[kept] / expected[kept]
    if factors[0] > 1 + DIAGNOSIS_RTOL and np.allclose(factors, factors[0], rtol=DIAGNOSIS_RTOL):
        others = f"all others the expected ones times {factors[0]:.4g}, as after dropout"
        yield Clause(f"some numbers of {{it}} are 0, and {others}")


@rule(
    Example([0.5, 0.4], [0.4, 0.6], "{it} sums to 0.9, and should sum to 1"),
    Example([[0.5, 0.4], [0.5, 0.5]], [[0.4, 0.6]] * 2, "a row of {it} sums to 0.9, and should sum to 1"),
    Example([[0.2, 0.1], [0.8, 0.9]], [[0.4, 0.6]] * 2, "every column of {it} sums to 1, and every row should"),
    Example([[0.2, 0.1], [0.3, 0.4]], [[0.4, 0.6]] * 2, "all of {it} together sums to 1, and every row should"),
)
def sums_of_one(pair: Pair) -> Clauses:
    got, expected = pair.got, pair.expected
    if not expected.ndim or not expected.shape[-1] or not are_ones(expected.sum(-1)) or are_ones(got.sum(-1)):
        return
    if expected.shape[-1] == 1:
        if (got == got.flat[0]).all():
            yield Clause(f"{{it}} sums to {_plain(got.flat[0])}, and should sum to 1", "{it} sums, 1")
    elif expected.ndim > 1 and are_ones(got.sum(-2)):
        yield Clause("every column of {it} sums to 1, and every row should")
    elif expected.ndim > 1 and are_ones(got.sum((-2, -1))):
        yield Clause("all of {it} together sums to 1, and every row should")
    else:
        yield from _worst_sum(pair, 1)


def _worst_sum(pair: Pair, wanted: int) -> Clauses:
    sums = pair.got.reshape(-1, pair.got.shape[-1]).sum(-1)
    of = "a row of {it} sums" if pair.expected.ndim > 1 else "{it} sums"
    yield Clause(f"{of} to {sums[np.argmax(np.abs(sums - wanted))]:.4g}, and should sum to {wanted}", f"{of}, {wanted}")


@rule(Example([1, -0.5, 0.25], [1, -0.75, -0.25], "{it} sums to 0.75, and should sum to 0"))
def sums_of_zero(pair: Pair) -> Clauses:
    got, expected = pair.got, pair.expected
    if not expected.ndim or expected.shape[-1] < 2 or not expected.any():
        return
    tiny = DIAGNOSIS_RTOL * np.abs(expected).max()
    if (np.abs(expected.sum(-1)) < tiny).all() and (np.abs(got.sum(-1)) > tiny).any():
        yield from _worst_sum(pair, 0)


@rule(Example([[1, 2, 3]] * 2, [[1, 2, 3], [4, 5, 6]], "all rows of {it} are equal, and the expected ones differ"))
def equal_rows(pair: Pair) -> Clauses:
    got, expected = pair.got, pair.expected
    if got.ndim < 2 or got.shape[-2] < 2 or not is_telling(got):
        return
    if (got[..., :1, :] == got).all() and (expected[..., :1, :] != expected).any((-2, -1)).all():
        yield Clause("all rows of {it} are equal, and the expected ones differ")


@rule(Example([2, 0, 4], [1, -3, 2], "no number of {it} is below 0, and some should be"))
def unsigned(pair: Pair) -> Clauses:
    if (pair.got >= 0).all() and (pair.expected < 0).any() and (pair.got[pair.expected > 0] > 0).any():
        yield Clause("no number of {it} is below 0, and some should be")


def _plain(number: np.generic) -> str:
    return str(number) if isinstance(number, np.bool_) else f"{number.item():.4g}"
