"""Whether two values are the same, and one table of tolerances: for suites, diagnosis and observations."""

import numpy as np

from autograder.judging.values.leaves import CONTAINERS, leaf_pairs, to_array
from autograder.worker.values import Described, Opaque, Tensor

# How far apart two numbers may be, beside their size, that count as one.
DIGITS_RTOL = 1e-12  # two mistakes come to different numbers, in the last digits only
SUITE_RTOL = 1e-5  # an answer is right: float32 accuracy is enough
DIAGNOSIS_RTOL = 1e-4  # a mistake made again comes to what the answer came to, worked out in another order
HALF_RTOL = 2e-3  # what half precision leaves after a few steps

SHARE_OF_LARGEST = 0.1  # small elements are judged beside the largest one, as float32 arithmetic would leave them
SMALLEST_DIFFERENCE = 1e-12  # a difference that never counts


def same(one: object, other: object, rtol: float = DIAGNOSIS_RTOL) -> bool:
    """Whether two values hold the same, part by part; whether they require gradients is no part of a value."""
    if not (isinstance(one, CONTAINERS) and isinstance(other, CONTAINERS)):  # most are one leaf, and are asked often
        return one is other or _is_same_leaf(one, other, rtol)
    return one is other or all(_is_same_leaf(*pair, rtol) for pair in leaf_pairs(one, other))


def are_close(got: np.ndarray, expected: np.ndarray, rtol: float = SUITE_RTOL) -> np.ndarray:
    """Return where numbers are close: up to `rtol` of each, or a tenth of it of the largest, as float32 leaves."""
    size = np.abs(expected)
    largest = size.max(initial=0.0)
    with np.errstate(all="ignore"):
        if np.isfinite(largest):  # much the fastest way, and the usual one
            return np.abs(got - expected) <= rtol * size + max(SHARE_OF_LARGEST * rtol * largest, SMALLEST_DIFFERENCE)
        largest = size[np.isfinite(expected)].max(initial=0.0)
        smallest = max(SHARE_OF_LARGEST * rtol * largest, SMALLEST_DIFFERENCE)
        return np.isclose(got, expected, rtol, smallest, equal_nan=True)


def differ_beyond_rounding(one: object, other: object) -> bool:
    """Whether two values differ in what no rounding tells apart: other shapes, Booleans, integers, words or types."""
    return any(_differ_exactly(*pair) for pair in leaf_pairs(one, other))


def _is_same_leaf(one: object, other: object, rtol: float) -> bool:
    array, another = to_array(one), to_array(other)
    if array is not None and another is not None:
        return isinstance(one, Tensor) == isinstance(other, Tensor) and _are_same_arrays(array, another, rtol)
    if isinstance(one, Described) and isinstance(other, Described):
        if one.kind == "axes":
            return other.kind == "axes" and same(_drop_words(one.parts), _drop_words(other.parts), rtol)
        return all(one.parts.get(name) == other.parts.get(name) for name in ("parameters", "training"))
    if isinstance(one, Opaque) and isinstance(other, Opaque):
        return True  # objects of two classes: what their methods return tells them apart
    return type(one) is type(other) and repr(one) == repr(other)


def _are_same_arrays(one: np.ndarray, other: np.ndarray, rtol: float) -> bool:
    if one.shape != other.shape or _family(one) != _family(other):
        return False
    if one.dtype.kind == "b":
        return bool((one == other).all())
    if one.dtype.kind in "iu" or other.dtype.kind in "iu":
        one, other = one.astype(float), other.astype(float)
    return bool(are_close(one, other, rtol).all())


def _differ_exactly(one: object, other: object) -> bool:
    if any(isinstance(value, (Described, Opaque)) for value in (one, other)):
        return False
    array, another = to_array(one), to_array(other)
    if array is None or another is None:
        return type(one) is not type(other) or repr(one) != repr(other)
    if array.shape != another.shape or _family(array) != _family(another):
        return True
    return array.dtype.kind in "biu" and another.dtype.kind in "biu" and bool((array != another).any())


def _drop_words(parts: dict) -> dict:
    """A description that says of a title or a label whether there is one: their words are a matter of taste."""
    worded = {name: bool(parts[name].strip()) for name in ("title", "x_label", "y_label") if name in parts}
    return parts | worded | {"figures": ""}  # what is done to figures is no part of the picture


def _family(array: np.ndarray) -> str:
    return array.dtype.kind if array.dtype.kind in "bc" else "real"
