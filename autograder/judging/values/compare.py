"""Comparison of a returned value with the expected one, with a sentence on the first difference.

The checks are, in this order: was anything returned, type, shape, dtype, finite numbers, values. Only the first
difference is reported, because it usually causes the rest. The form may differ (a list for an array, a 0-d array for a
scalar, float32 accuracy), but the values may not.
"""

import functools
import itertools
from collections import namedtuple
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import numpy as np

from autograder.chapters.text import shorten
from autograder.judging.values.same import SUITE_RTOL, TERMS, are_close, has_more_parts_than, has_text
from autograder.judging.values.show import format_pair, format_value
from autograder.worker.values import Described, ObjectArray, Omitted, Opaque, Tensor

MAX_LISTED_NUMBERS = 4_000_000  # limit for the numbers in a list that is converted to an array
MAX_REORDERED_RESULTS = 3  # other orders are not tried if there are more results
REORDERED_SHARE = 2 / 3  # share of a test's points for correct results in a different order
OTHER_FORM_SHARE = 1 / 2  # share of a test's points for correct numbers in a different shape or type
MAX_SHOWN_LENGTH = 160  # characters of both values together; longer values are cut
_make_parts_type = functools.cache(functools.partial(namedtuple, "Parts"))  # names of parts -> their type


@dataclass(eq=False, repr=False)
class Mismatch(Exception):
    """Raised for a result that is not as expected."""

    kind: str  # "returned", "type", "shape", "dtype", "finite", "values", "property", "attribute" or "arguments"
    sentence: str  # starts with a verb: "returned shape (4, 1), expected (4,)"
    got: object = None  # the wrong value, to draw a picture; None if the sentence is enough
    expected: object = None
    part: str = ""  # name of the wrong result, such as "weights"; empty for a single result
    rtol: float = SUITE_RTOL  # tolerance of the comparison
    reason: str = ""  # a sentence about the cause; empty if the test cannot tell
    call: Any = field(default=None, init=False)  # the `Call` with this result
    axes: Sequence[str] = field(default=(), init=False)  # names of the axes, if known: ("query", "key")

    def __str__(self) -> str:
        return self.sentence


def parts(**results: object) -> tuple:
    """Return several expected results as a named tuple, as in ``parts(context=c, weights=w)``."""
    return _make_parts_type(tuple(results))(**results)


def named(names: str, results: Iterable) -> tuple:
    """Return expected results as a named tuple, as in ``named("output weights", solution(x))``."""
    return parts(**dict(zip(names.split(), results, strict=True)))


def agrees(got: object, expected: object, rtol: float = SUITE_RTOL) -> bool:
    try:
        require_equal(got, expected, rtol)
    except Mismatch:
        return False
    return True


def require_equal(got: object, expected: object, rtol: float = SUITE_RTOL, part: str = "") -> None:
    """Raise `Mismatch` unless the values are equal within `rtol`. `part`: name of the value within a larger result."""
    pair = _ComparedPair(got, expected, rtol, part)
    if got is None and expected is not None:
        pair.raise_mismatch("returned", "None", "" if part else ": perhaps a `return` is missing")
    if isinstance(expected, tuple):
        pair.require_equal_parts()
    elif isinstance(expected, dict):
        pair.require_equal_dicts()
    elif isinstance(expected, Tensor):
        if not isinstance(got, (Tensor, Omitted)):
            got_form = "a NumPy array" if isinstance(got, np.ndarray) else _describe_form(got)
            pair.raise_mismatch("type", got_form, ", expected a tensor")
        pair.require_equal_numbers(expected.array)
    elif isinstance(expected, list) and expected and all(type(number) is float for number in expected):
        pair.require_equal_numbers(np.array(expected))
    elif isinstance(expected, list) or expected is None or isinstance(expected, (str, bytes)):
        pair.require_equal_plain()
    elif isinstance(expected, (np.ndarray, np.generic, bool, int, float)):
        if isinstance(got, Tensor):
            pair.raise_mismatch("type", "a tensor", ", expected a NumPy array")
        pair.require_equal_numbers(np.asarray(expected))
    else:
        raise TypeError(f"a suite expects a {type(expected).__name__}, which cannot be compared")


def compute_share(got: object, expected: object, rtol: float = SUITE_RTOL) -> float:
    """Return the share of points, 0 to 1: that of correct results, 2/3 for a wrong order, or 1/2 for a wrong form."""
    if isinstance(expected, dict) and isinstance(got, dict):
        right_count = sum(agrees(got.get(key), value, rtol) for key, value in expected.items())
        return right_count / max(len(expected), len(got), 1)
    if not (isinstance(expected, tuple) and isinstance(got, (tuple, list)) and len(got) == len(expected)):
        results = expected if isinstance(expected, tuple) else ()
        is_one_of_them = any(agrees(got, one, rtol) for one in results)
        return max(OTHER_FORM_SHARE * _has_correct_numbers(got, expected, rtol), is_one_of_them / max(len(results), 1))
    are_right = [[agrees(one, other, rtol) for one in got] for other in expected]
    orders = itertools.permutations(range(len(got))) if len(got) <= MAX_REORDERED_RESULTS else ()
    is_reordered = any(all(row[i] for row, i in zip(are_right, order, strict=True)) for order in orders)
    return max(sum(row[i] for i, row in enumerate(are_right)) / len(got), REORDERED_SHARE * is_reordered)


def _has_correct_numbers(got: object, expected: object, rtol: float) -> bool:
    """Return whether the result has the expected numbers, but possibly in a different shape or type, or transposed."""
    results = expected if isinstance(expected, tuple) else (expected,)
    values = [value.array if isinstance(value, Tensor) else value for value in results]
    if not all(isinstance(value, (np.ndarray, np.generic, bool, int, float)) for value in values):
        return False
    numbers = np.concatenate([np.asarray(value, dtype=float).ravel() for value in values])
    try:
        array = as_array(got)
    except Mismatch:
        return False
    if array.size != numbers.size or not numbers.size or array.dtype.kind == "c":
        return False
    expected_array = np.asarray(values[0])
    is_table = len(values) == 1 and array.ndim == expected_array.ndim > 1 and expected_array.dtype.kind == "f"
    turned = [np.swapaxes(array, -2, -1)] if is_table else []
    return any(are_close(form.ravel().astype(float), numbers, rtol).all() for form in (array, *turned))


def as_array(got: object) -> np.ndarray:
    return _ComparedPair(got).as_array()


@dataclass(frozen=True)
class _ComparedPair:
    """A returned value and the expected one. `part` is their name within a larger result, or empty."""

    got: Any
    expected: Any = None
    rtol: float = SUITE_RTOL
    part: str = ""

    def raise_mismatch(self, kind: str, returned: str, rest: str, reason: str = "") -> NoReturn:
        """Raise a `Mismatch` with what was returned, for which part, and what was expected."""
        sentence = f"returned {returned}{f' for {self.part}' if self.part else ''}{rest}"
        raise Mismatch(kind, sentence, self.got, self.expected, self.part, self.rtol, reason)

    def as_array(self, expected_shape: tuple | None = None) -> np.ndarray:
        got = self.got
        if isinstance(got, Omitted):
            expectation = "" if expected_shape is None else f", expected shape {expected_shape}"
            self.raise_mismatch("shape", f"an array of shape {got.shape}", expectation)
        if isinstance(got, ObjectArray):  # An object array of Booleans is accepted, one of numbers is not.
            if got.items and all(isinstance(item, (bool, np.bool_)) for item in got.items):
                return np.array(got.items, dtype=bool).reshape(got.shape)
            self.raise_mismatch("dtype", format_value(got), ", expected an array of numbers")
        if isinstance(got, Tensor):
            return got.array
        if isinstance(got, (list, tuple)) and has_more_parts_than(got, MAX_LISTED_NUMBERS):
            self.raise_mismatch("shape", f"a {type(got).__name__} of millions of numbers", ": use an array")
        # Reject text before `np.asarray`, which would make every element as wide as the longest string.
        if got is None or isinstance(got, (str, dict, Opaque, Described)) or has_text(got):
            self.raise_mismatch("type", format_value(got), ", expected numbers")
        try:
            array = np.asarray(got)
        except ValueError:
            self.raise_mismatch("shape", "rows of different lengths", "")
        if array.dtype.kind not in "biufc":
            self.raise_mismatch("type", format_value(got), ", expected numbers")
        return array

    def require_equal_parts(self) -> None:
        got, expected = self.got, self.expected
        if not isinstance(got, (tuple, list)):
            self.raise_mismatch("type", _describe_form(got), f", expected {len(expected)} results")
        if len(got) != len(expected):
            self.raise_mismatch("type", f"{len(got)} results", f", expected {len(expected)}")
        names = getattr(expected, "_fields", [f"result {number}" for number in range(1, len(expected) + 1)])
        for name, got_part, expected_part in zip(names, got, expected, strict=True):
            require_equal(got_part, expected_part, self.rtol, name)

    def require_equal_dicts(self) -> None:
        got, expected = self.got, self.expected
        if not isinstance(got, dict):
            self.raise_mismatch("type", _describe_form(got), ", expected a dictionary")
        extra = [key for key in got if key not in expected]
        for key in expected:
            if key not in got:
                self.raise_mismatch("values", "a dictionary", f" without the key {format_value(key)}")
            require_equal(got[key], expected[key], self.rtol, format_value(key))
        if extra:
            self.raise_mismatch("values", "a dictionary", f" with the extra key {format_value(extra[0])}")

    def require_equal_plain(self) -> None:
        got, expected = self.got, self.expected
        if _are_equal_plain(got, expected):
            return
        kind, texts = "values" if type(got) is type(expected) else "type", (format_value(got), format_value(expected))
        if sum(map(len, texts)) > MAX_SHOWN_LENGTH and isinstance(got, (list, tuple)) and isinstance(expected, list):
            self.raise_mismatch(kind, *_describe_first_difference(got, expected))
        got_text, expected_text = (shorten(text, MAX_SHOWN_LENGTH // 2) for text in texts)
        self.raise_mismatch(kind, got_text, f", expected {expected_text}")

    def require_equal_numbers(self, expected: np.ndarray) -> None:
        got = self.got
        if expected.ndim == 0 and isinstance(got, (list, tuple)):
            got_form = f"a {type(got).__name__} with one number in it" if len(got) == 1 else _describe_form(got)
            has_comma = isinstance(got, tuple) and len(got) == 1
            reason = "A comma at the end of `return` makes a tuple: remove it." if has_comma else ""
            self.raise_mismatch("type", got_form, ", expected one number", reason)
        array = np.asarray(self.as_array(expected.shape))
        if array.dtype.kind == "c" and expected.dtype.kind != "c":
            self.raise_mismatch("dtype", "complex numbers", ", expected real ones")
        if array.shape != expected.shape:
            is_one = array.size == 1 and expected.ndim == 0
            if not is_one and not (isinstance(got, np.matrix) and array.shape == (1, *expected.shape)):
                got_form, expected_form = (f"shape {it.shape}" if it.ndim else "one number" for it in (array, expected))
                self.raise_mismatch("shape", got_form, f", expected {expected_form}")
            array = array.reshape(expected.shape)
        if expected.dtype.kind == "b" and array.dtype.kind != "b":
            self.raise_mismatch("dtype", f"{array.dtype} values", ", expected booleans (True and False)")
        if expected.dtype.kind != "b" and array.dtype.kind == "b":
            self.raise_mismatch("dtype", "booleans", ", expected numbers")
        least = TERMS if isinstance(got, Tensor) and array.dtype == np.float32 else 0.0
        replace(self, got=array, expected=expected).require_equal_values(least)

    def require_equal_values(self, least: float) -> None:
        array, expected = self.got, self.expected
        if expected.dtype.kind == "b":
            is_different = array != expected
        else:
            if not np.isfinite(array).all() and np.isfinite(expected).all():
                worst = "nan" if np.isnan(array).any() else "infinity"
                self.raise_mismatch("finite", worst, ", expected finite numbers")
            is_different = ~are_close(array.astype(np.float64), expected, self.rtol, least)
        if is_different.any():
            place = tuple(int(i) for i in np.argwhere(is_different)[0])
            location = f" at [{', '.join(map(str, place))}]" if place else ""
            yours, target = format_pair(array[place], expected[place])
            self.raise_mismatch("values", f"{yours}{location}", f", expected {target}")


def _describe_first_difference(got: list | tuple, expected: list) -> tuple[str, str]:
    for index, pair in enumerate(zip(got, expected, strict=False)):
        if not _are_equal_plain(*pair):
            got_text, expected_text = (shorten(format_value(value), MAX_SHOWN_LENGTH // 2) for value in pair)
            length_note = "" if len(got) == len(expected) else f" ({len(got)} values instead of {len(expected)})"
            return f"{got_text} at [{index}]", f", expected {expected_text}{length_note}"
    return f"{len(got)} values", f", expected {len(expected)}"


def _are_equal_plain(got: object, expected: object) -> bool:
    """Return whether two values are equal. Lists are compared by element, because `==` fails if they contain arrays."""
    if not isinstance(expected, list):
        return type(got) is type(expected) and got == expected
    if isinstance(got, np.ndarray):
        # Compare lengths first, because `tolist` of a 32 MB array can need gigabytes.
        if got.ndim == 0 or len(got) != len(expected):
            return False
        got = got.tolist() if got.ndim == 1 else list(got)
    return isinstance(got, (list, tuple)) and len(got) == len(expected) and all(map(_are_equal_plain, got, expected))


def _describe_form(got: object) -> str:
    if isinstance(got, Tensor):
        return f"one tensor of shape {got.array.shape}"
    if isinstance(got, (np.ndarray, Omitted)):
        return f"one array of shape {got.shape}"
    if isinstance(got, (list, tuple)):
        return f"{len(got)} values"
    return format_value(got)
