"""Equality of nested values within a tolerance, the table of tolerances, and traversal down to arrays and strings."""

from collections.abc import Callable, Collection, Iterator

import numpy as np

from autograder.worker.values import Described, Opaque, Tensor

NUMBERS, REAL_NUMBERS = "biufc", "biuf"  # possible values of `dtype.kind`
_SEQUENCES = (list, tuple)
CONTAINERS = (dict, *_SEQUENCES)
_NUMERIC = (Tensor, np.ndarray, np.generic, bool, int, float, complex, *_SEQUENCES)

# Relative tolerances.
DIGITS_RTOL = 1e-12  # for telling two known mistakes apart by their last digits
SUITE_RTOL = 1e-5  # for suites, which accept float32 accuracy
DIAGNOSIS_RTOL = 1e-4  # for comparing an answer with a known mistake, which may add up in a different order
HALF_RTOL = 2e-3  # for results of a few steps in half precision
# Tolerance that only float64 arithmetic achieves, without float32, rounding or an epsilon in between.
FLOAT64 = 1e-10
FLOAT64_SCALED = 1e-9  # for scores that were divided by the square root of the dimension
ALL_DIGITS = 1e-13  # for a sum in float64

# Each element may differ by this share of the largest element's tolerance, because float32 rounds sums of large terms.
SHARE_OF_LARGEST = 0.1
TERMS = 1.0  # size of the terms of sums in a float32 tensor: by chance, all sums in a small result may be nearly 0
SMALLEST_DIFFERENCE = 1e-12  # a smaller difference never counts


def are_equal(first: object, second: object, rtol: float = DIAGNOSIS_RTOL) -> bool:
    """Return whether two nested values are equal within a tolerance; `requires_grad` is ignored."""
    if not (isinstance(first, CONTAINERS) and isinstance(second, CONTAINERS)):  # A fast path for most values.
        return first is second or _are_equal_leaves(first, second, rtol)
    return first is second or all(_are_equal_leaves(*pair, rtol) for pair in pair_leaves(first, second))


def are_close(got: np.ndarray, expected: np.ndarray, rtol: float = SUITE_RTOL, least: float = 0.0) -> np.ndarray:
    """Return a mask of the numbers that agree within `rtol`, plus a tenth of `rtol` of the largest expected number.

    `least`: replaces the largest expected number if it is smaller.
    """
    size = np.abs(expected)
    largest = size.max(initial=least)
    with np.errstate(all="ignore"):
        if np.isfinite(largest):  # The usual case, and much faster than `isclose`.
            return np.abs(got - expected) <= rtol * size + max(SHARE_OF_LARGEST * rtol * largest, SMALLEST_DIFFERENCE)
        largest = size[np.isfinite(expected)].max(initial=least)
        atol = max(SHARE_OF_LARGEST * rtol * largest, SMALLEST_DIFFERENCE)
        return np.isclose(got, expected, rtol, atol, equal_nan=True)


def differ_structurally(first: object, second: object) -> bool:
    """Return whether two values differ in shape, type, Booleans, integers or strings; values of floats are ignored."""
    return any(_differ_structurally(*pair) for pair in pair_leaves(first, second))


def _are_equal_leaves(a: object, b: object, rtol: float) -> bool:
    first, second = to_array(a), to_array(b)
    if first is not None and second is not None:
        return isinstance(a, Tensor) == isinstance(b, Tensor) and _are_equal_arrays(first, second, rtol)
    if isinstance(a, Described) and isinstance(b, Described):
        if a.kind == "axes":
            return b.kind == "axes" and are_equal(_reduce_labels(a.parts), _reduce_labels(b.parts), rtol)
        return all(a.parts.get(name) == b.parts.get(name) for name in ("parameters", "training"))
    if isinstance(a, Opaque) and isinstance(b, Opaque):
        return True  # Their methods are called separately, and those results are compared.
    return type(a) is type(b) and repr(a) == repr(b)


def _are_equal_arrays(first: np.ndarray, second: np.ndarray, rtol: float) -> bool:
    if first.shape != second.shape or _classify_dtype(first) != _classify_dtype(second):
        return False
    if first.dtype.kind == "b":
        return bool((first == second).all())
    if first.dtype.kind in "iu" or second.dtype.kind in "iu":
        first, second = first.astype(float), second.astype(float)
    return bool(are_close(first, second, rtol).all())


def _differ_structurally(a: object, b: object) -> bool:
    if any(isinstance(value, (Described, Opaque)) for value in (a, b)):
        return False
    first, second = to_array(a), to_array(b)
    if first is None or second is None:
        return type(a) is not type(b) or repr(a) != repr(b)
    if first.shape != second.shape or _classify_dtype(first) != _classify_dtype(second):
        return True
    return first.dtype.kind in "biu" and second.dtype.kind in "biu" and bool((first != second).any())


def _reduce_labels(parts: dict) -> dict:
    """Return a picture's description with True or False for each title and label, because any wording is correct."""
    worded = {name: bool(parts[name].strip()) for name in ("title", "x_label", "y_label") if name in parts}
    return parts | worded | {"figures": ""}  # Actions on figures are not part of the picture.


def _classify_dtype(array: np.ndarray) -> str:
    return array.dtype.kind if array.dtype.kind in "bc" else "real"


def iter_scalars(value: object) -> Iterator[object]:
    """Yield all nested values that are not containers."""
    if isinstance(value, CONTAINERS):
        for part in value.values() if isinstance(value, dict) else value:
            yield from iter_scalars(part)
    else:
        yield value


def has_more_parts_than(value: object, limit: int) -> bool:
    """Return whether a value has more than `limit` parts, including elements of arrays. Stops counting there."""
    parts, parts_left = [value], limit
    while parts and parts_left >= 0:
        part = parts.pop()
        part = part.array if isinstance(part, Tensor) else part
        parts_left -= part.size if isinstance(part, np.ndarray) else 1
        if isinstance(part, CONTAINERS):
            if len(part) > parts_left:
                return True
            parts += part.values() if isinstance(part, dict) else part
    return parts_left < 0


def iter_leaves(value: object) -> Iterator[object]:
    """Yield the leaves of a nested value, as arrays where possible: a list of numbers is one array."""
    array = to_array(value)
    if array is not None:
        yield array
    elif isinstance(value, CONTAINERS):
        for part in value.values() if isinstance(value, dict) else value:
            yield from iter_leaves(part)
    else:
        yield value


def pair_leaves(first: object, second: object) -> Iterator[tuple[object, object]]:
    """Yield pairs of corresponding leaves of two values, or of parts whose structures differ. Lists match tuples."""
    pairs = None
    if isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys():
        pairs = [(first[key], second[key]) for key in first]
    elif isinstance(first, _SEQUENCES) and isinstance(second, _SEQUENCES) and len(first) == len(second):
        is_numeric = to_array(first) is not None and to_array(second) is not None
        pairs = None if is_numeric else zip(first, second, strict=True)
    if pairs is None:
        yield first, second
    for pair in pairs or ():
        yield from pair_leaves(*pair)


def map_scalars(value: object, change: Callable[[object], object]) -> object:
    """Return a value of the same structure with `change` applied to each scalar."""
    if isinstance(value, dict):
        return {key: map_scalars(part, change) for key, part in value.items()}
    if isinstance(value, _SEQUENCES):
        return type(value)(map_scalars(part, change) for part in value)
    return change(value)


def to_array(value: object, kinds: str = NUMBERS) -> np.ndarray | None:
    """Return a tensor, array, list of numbers or number as an array, or None for any other value."""
    if isinstance(value, Tensor):
        return value.array
    # Reject text before `np.asarray`, which would make every element as wide as the longest string.
    if not isinstance(value, _NUMERIC) or has_text(value):
        return None
    try:
        array = np.asarray(value)  # an `np.matrix` becomes an array
    except ValueError:
        return None
    return array if array.dtype.kind in kinds else None


def to_arrays(values: Collection[object]) -> list[np.ndarray] | None:
    """Return the values as arrays of real numbers, or None if one of them is not numeric."""
    arrays = [array for value in values if (array := to_array(value, REAL_NUMBERS)) is not None]
    return arrays if len(arrays) == len(values) else None


def find_arrays(value: object) -> list[np.ndarray]:
    return [leaf for leaf in iter_leaves(value) if isinstance(leaf, np.ndarray)]


def has_text(value: object) -> bool:
    return not isinstance(value, np.ndarray) and any(isinstance(part, str) for part in iter_scalars(value))


def split_results(value: object) -> list[object] | None:
    """Return several results as a list, or None for one. A list of numbers is one result, a list of arrays several."""
    if not isinstance(value, _SEQUENCES):
        return None
    is_one = to_array(value) is not None and not any(isinstance(part, (np.ndarray, Tensor)) for part in value)
    return None if is_one else [*value]
