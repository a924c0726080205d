"""Compares what an answer returned with what was expected, and says the first difference in words.

The order is: returned at all, type, shape, dtype, finite, values. Only the first difference speaks, because it
usually causes the rest. What counts as equal is generous in form (a list for an array, a 0-d array for a scalar,
float32 accuracy) and strict in value.
"""

import itertools
from collections import namedtuple
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.chapters.text import cut
from autograder.judging.values.leaves import has_more_than, holds_text
from autograder.judging.values.same import SUITE_RTOL, are_close
from autograder.judging.values.show import show, show_both
from autograder.worker.values import Described, ObjectArray, Omitted, Opaque, Tensor

MAX_LISTED_NUMBERS = 4_000_000  # numbers in a list that are made one array, all as wide as the widest
MAX_REORDERED_RESULTS = 3  # results that are looked for in another order
REORDERED_SHARE = 2 / 3  # of a test's points
OTHER_FORM_SHARE = 1 / 2
MAX_VALUES_LENGTH = 160  # characters of two values that are shown whole beside each other


@dataclass(eq=False, repr=False)
class Mismatch(Exception):
    """A result that is not what it should be."""

    rung: str  # "returned", "type", "shape", "dtype", "finite", "values", "property", "attribute" or "arguments"
    sentence: str  # what is wrong, starting with a verb: "returned shape (4, 1), expected (4,)"
    got: object = None  # the two values, for a picture; None where a sentence says it all
    expected: object = None
    part: str = ""  # which of several results it is: "weights"; empty where there is one
    rtol: float = SUITE_RTOL  # what difference was allowed
    reason: str = ""  # what it comes from, as a sentence, where what was asked shows it
    call: Any = field(default=None, init=False)  # what was asked, as a `Call`
    axes: Sequence[str] = field(default=(), init=False)  # what rows and columns are, if known: ("query", "key")

    def __str__(self) -> str:
        return self.sentence


def parts(**results: object) -> tuple:
    """Several expected results with their names: ``parts(context=c, weights=w)``."""
    return namedtuple("Parts", results)(**results)  # pyrefly: ignore[bad-class-definition]


def named(names: str, results: Iterable) -> tuple:
    """The same from names in one string: ``named("output weights", solution(x))``."""
    return parts(**dict(zip(names.split(), results, strict=True)))


def agrees(got: object, expected: object, rtol: float = SUITE_RTOL) -> bool:
    """Whether `compare` finds no difference."""
    try:
        compare(got, expected, rtol)
    except Mismatch:
        return False
    return True


def compare(got: object, expected: object, rtol: float = SUITE_RTOL, part: str = "") -> None:
    """Raise `Mismatch` unless `got` is as good as `expected`.

    `got` came from the wire; `expected` is None, a bool, int, float, str, ndarray, `Tensor`, or a list, tuple or dict
    of these; `part` is what a larger result calls it.
    """
    if got is None and expected is not None:
        raise Mismatch("returned", f"returned None{_for_part(part)}: perhaps a `return` is missing", got, expected)
    if isinstance(expected, tuple):
        _compare_parts(got, expected, rtol, part)
    elif isinstance(expected, dict):
        _compare_dicts(got, expected, rtol, part)
    elif isinstance(expected, Tensor):
        if not isinstance(got, (Tensor, Omitted)):
            raise Mismatch("type", f"returned {_kind(got)}{_for_part(part)}, expected a tensor", got, expected)
        _compare_numbers(got, expected.array, rtol, part)
    elif isinstance(expected, list) or expected is None or isinstance(expected, (str, bytes)):
        _compare_plain(got, expected, part)
    elif isinstance(expected, (np.ndarray, np.generic, bool, int, float)):
        if isinstance(got, Tensor):
            raise Mismatch("type", f"returned a tensor{_for_part(part)}, expected an array of NumPy", got, expected)
        _compare_numbers(got, np.asarray(expected), rtol, part)
    else:
        raise TypeError(f"a suite expects a {type(expected).__name__}, which cannot be compared")


def share_right(got: object, expected: object, rtol: float = SUITE_RTOL) -> float:
    """How much of a result is right, from 0 to 1: of several, and of what stands under keys, each counts.

    Where nothing but the order of several is wrong it is two thirds; where the numbers are right and their form is not,
    half: another shape, a list for a tensor, 1 for True.
    """
    if isinstance(expected, dict) and isinstance(got, dict):
        right = sum(agrees(got.get(key), value, rtol) for key, value in expected.items())
        return right / max(len(expected), len(got), 1)
    if not (isinstance(expected, tuple) and isinstance(got, (tuple, list)) and len(got) == len(expected)):
        return OTHER_FORM_SHARE * _has_right_numbers(got, expected, rtol)
    are_right = [[agrees(one, other, rtol) for one in got] for other in expected]
    orders = itertools.permutations(range(len(got))) if len(got) <= MAX_REORDERED_RESULTS else ()
    is_reordered = any(all(row[at] for row, at in zip(are_right, order, strict=True)) for order in orders)
    return max(sum(row[at] for at, row in enumerate(are_right)) / len(got), REORDERED_SHARE * is_reordered)


def _has_right_numbers(got: object, expected: object, rtol: float) -> bool:
    """Whether it holds the expected numbers in their order, as one array or several."""
    several = expected if isinstance(expected, tuple) else (expected,)
    values = [value.array if isinstance(value, Tensor) else value for value in several]
    if not all(isinstance(value, (np.ndarray, np.generic, bool, int, float)) for value in values):
        return False
    numbers = np.concatenate([np.asarray(value, dtype=float).ravel() for value in values])
    try:
        array = as_array(got)
    except Mismatch:
        return False
    is_right = array.size == numbers.size > 0 and array.dtype.kind != "c"
    return bool(is_right and are_close(array.ravel().astype(float), numbers, rtol).all())


def as_array(got: object, expected_shape: tuple | None = None, part: str = "") -> np.ndarray:
    """The numbers of a result as an array, or `Mismatch` where there are none."""
    if isinstance(got, Omitted):
        expectation = "" if expected_shape is None else f", expected shape {expected_shape}"
        raise Mismatch("shape", f"returned an array of shape {got.shape}{_for_part(part)}{expectation}")
    if isinstance(got, ObjectArray):
        got = _plain_objects(got, part)
    if isinstance(got, Tensor):
        return got.array
    if isinstance(got, (str, dict, Opaque, Described)) or got is None:
        raise Mismatch("type", f"returned {show(got)}{_for_part(part)}, expected numbers", got)
    if isinstance(got, (list, tuple)) and has_more_than(got, MAX_LISTED_NUMBERS):
        raise Mismatch(
            "shape", f"returned a {type(got).__name__} of millions of numbers{_for_part(part)}: use an array"
        )
    if holds_text(got):  # NumPy would make every number as wide as the longest text
        raise Mismatch("type", f"returned {show(got)}{_for_part(part)}, expected numbers", got)
    try:
        array = np.asarray(got)
    except ValueError:
        raise Mismatch("shape", f"returned rows of different lengths{_for_part(part)}", got) from None
    if array.dtype.kind not in "biufc":
        raise Mismatch("type", f"returned {show(got)}{_for_part(part)}, expected numbers", got)
    return array


def _compare_parts(got: object, expected: tuple, rtol: float, part: str) -> None:
    if not isinstance(got, (tuple, list)):
        raise Mismatch(
            "type", f"returned {_kind(got)}{_for_part(part)}, expected {len(expected)} results", got, expected
        )
    if len(got) != len(expected):
        raise Mismatch("type", f"returned {len(got)} results{_for_part(part)}, expected {len(expected)}", got, expected)
    names = getattr(expected, "_fields", [f"result {number}" for number in range(1, len(expected) + 1)])
    for name, got_part, expected_part in zip(names, got, expected, strict=True):
        compare(got_part, expected_part, rtol, name)


def _compare_dicts(got: object, expected: dict, rtol: float, part: str) -> None:
    if not isinstance(got, dict):
        raise Mismatch("type", f"returned {_kind(got)}{_for_part(part)}, expected a dictionary", got, expected)
    for key in expected:
        if key not in got:
            raise Mismatch("values", f"returned a dictionary{_for_part(part)} without {show(key)}", got, expected)
        compare(got[key], expected[key], rtol, show(key))
    if extra := [key for key in got if key not in expected]:
        raise Mismatch("values", f"returned a dictionary{_for_part(part)} with {show(extra[0])} in it", got, expected)


def _compare_plain(got: object, expected: object, part: str) -> None:
    if not _same_plain(got, expected):
        rung = "values" if type(got) is type(expected) else "type"
        both = [show(got), show(expected)]
        if sum(map(len, both)) > MAX_VALUES_LENGTH and isinstance(got, (list, tuple)) and isinstance(expected, list):
            raise Mismatch(rung, _first_difference(got, expected, part), got, expected)
        got_text, expected_text = (cut(text, MAX_VALUES_LENGTH // 2) for text in both)
        raise Mismatch(rung, f"returned {got_text}{_for_part(part)}, expected {expected_text}", got, expected)


def _first_difference(got: list | tuple, expected: list, part: str) -> str:
    """Where two long lists begin to differ."""
    pairs = list(zip(got, expected, strict=False))
    at = next((at for at, pair in enumerate(pairs) if not _same_plain(*pair)), len(pairs))
    if at < len(pairs):
        got_text, expected_text = (cut(show(value), MAX_VALUES_LENGTH // 2) for value in pairs[at])
        both = "" if len(got) == len(expected) else f" ({len(got)} values where {len(expected)} are expected)"
        return f"returned {got_text} at [{at}]{_for_part(part)}, expected {expected_text}{both}"
    more = f"{cut(show(got[at]), MAX_VALUES_LENGTH // 2)} at [{at}] is one too many" if len(got) > at else ""
    more = more or f"{cut(show(expected[at]), MAX_VALUES_LENGTH // 2)} is missing at [{at}]"
    return f"returned {len(got)} values{_for_part(part)}, expected {len(expected)}: {more}"


def _same_plain(got: object, expected: object) -> bool:
    """Equal part by part: `==` of lists would ask arrays in them for one truth value."""
    if not isinstance(expected, list):
        return type(got) is type(expected) and got == expected
    if isinstance(got, np.ndarray):
        # Its length first: an array of 32 MB can be a list of gigabytes.
        if got.ndim == 0 or len(got) != len(expected):
            return False
        got = got.tolist() if got.ndim == 1 else list(got)
    return isinstance(got, (list, tuple)) and len(got) == len(expected) and all(map(_same_plain, got, expected))


def _compare_numbers(got: object, expected: np.ndarray, rtol: float, part: str) -> None:
    is_matrix = isinstance(got, np.matrix)
    if expected.ndim == 0 and isinstance(got, (list, tuple)):
        got_form = f"a {type(got).__name__} with one number in it" if len(got) == 1 else _kind(got)
        reason = "A comma at the end of `return` makes a tuple: take it out." * (
            isinstance(got, tuple) and len(got) == 1
        )
        raise Mismatch(
            "type", f"returned {got_form}{_for_part(part)}, expected one number", got, expected, reason=reason
        )
    array = np.asarray(as_array(got, expected.shape, part))
    if array.dtype.kind == "c" and expected.dtype.kind != "c":
        raise Mismatch("dtype", f"returned complex numbers{_for_part(part)}, expected real ones", got, expected, part)
    if array.shape != expected.shape:
        alike = array.size == 1 and expected.ndim == 0
        alike = alike or (is_matrix and array.shape == (1, *expected.shape))
        if not alike:
            expected_form = f"shape {expected.shape}" if expected.ndim else "one number"
            got_form = f"shape {array.shape}" if array.ndim else "one number"
            raise Mismatch(
                "shape", f"returned {got_form}{_for_part(part)}, expected {expected_form}", got, expected, part
            )
        array = array.reshape(expected.shape)
    _compare_dtypes(array, expected, got, part)
    if expected.dtype.kind == "b":
        different = array != expected
    else:
        if not np.isfinite(array).all() and np.isfinite(expected).all():
            worst = "nan" if np.isnan(array).any() else "infinity"
            raise Mismatch(
                "finite", f"returned {worst}{_for_part(part)}, expected finite numbers", array, expected, part
            )
        different = ~are_close(array.astype(np.float64), expected, rtol)
    if different.any():
        place = tuple(int(i) for i in np.argwhere(different)[0])
        at = f" at [{', '.join(map(str, place))}]" if place else ""
        yours, target = show_both(array[place], expected[place])
        sentence = f"returned {yours}{at}{_for_part(part)}, expected {target}"
        raise Mismatch("values", sentence, array, expected, part, rtol)


def _compare_dtypes(array: np.ndarray, expected: np.ndarray, got: object, part: str) -> None:
    if expected.dtype.kind == "b" and array.dtype.kind != "b":
        raise Mismatch(
            "dtype",
            f"returned {array.dtype} values{_for_part(part)}, expected booleans (True and False)",
            got,
            expected,
        )
    if expected.dtype.kind != "b" and array.dtype.kind == "b":
        raise Mismatch("dtype", f"returned booleans{_for_part(part)}, expected numbers", got, expected)


def _plain_objects(got: ObjectArray, part: str) -> np.ndarray:
    """Booleans may come as objects; numbers may not."""
    if got.items and all(isinstance(item, (bool, np.bool_)) for item in got.items):
        return np.array(got.items, dtype=bool).reshape(got.shape)
    raise Mismatch("dtype", f"returned {show(got)}{_for_part(part)}, expected an array of numbers", got)


def _kind(got: object) -> str:
    if isinstance(got, Tensor):
        return f"one tensor of shape {got.array.shape}"
    if isinstance(got, (np.ndarray, Omitted)):
        return f"one array of shape {got.shape}"
    if isinstance(got, (list, tuple)):
        return f"{len(got)} values"
    return show(got)


def _for_part(part: str) -> str:
    return f" for {part}" if part else ""
