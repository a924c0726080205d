"""Equality of values within a tolerance, and the table of tolerances."""

import numpy as np

from autograder.judging.values.leaves import CONTAINERS, pair_leaves, to_array
from autograder.worker.values import Described, Opaque, Tensor

# Relative tolerances.
DIGITS_RTOL = 1e-12  # for telling two known mistakes apart by their last digits
SUITE_RTOL = 1e-5  # for suites, which accept float32 accuracy
DIAGNOSIS_RTOL = 1e-4  # for comparing an answer with a known mistake, which may add up in a different order
HALF_RTOL = 2e-3  # for results of a few steps in half precision

# Each element may differ by this share of the largest element's tolerance, because float32 rounds sums of large terms.
SHARE_OF_LARGEST = 0.1
SMALLEST_DIFFERENCE = 1e-12  # a smaller difference never counts


def are_equal(first: object, second: object, rtol: float = DIAGNOSIS_RTOL) -> bool:
    """Return whether two nested values are equal within a tolerance; `requires_grad` is ignored."""
    if not (isinstance(first, CONTAINERS) and isinstance(second, CONTAINERS)):  # A fast path for most values.
        return first is second or _are_equal_leaves(first, second, rtol)
    return first is second or all(_are_equal_leaves(*pair, rtol) for pair in pair_leaves(first, second))


def are_close(got: np.ndarray, expected: np.ndarray, rtol: float = SUITE_RTOL) -> np.ndarray:
    """Return a mask of the numbers that agree within `rtol`, plus a tenth of `rtol` of the largest expected number."""
    size = np.abs(expected)
    largest = size.max(initial=0.0)
    with np.errstate(all="ignore"):
        if np.isfinite(largest):  # The usual case, and much faster than `isclose`.
            return np.abs(got - expected) <= rtol * size + max(SHARE_OF_LARGEST * rtol * largest, SMALLEST_DIFFERENCE)
        largest = size[np.isfinite(expected)].max(initial=0.0)
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
