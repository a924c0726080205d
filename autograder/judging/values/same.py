"""Whether two values are the same, and one table of tolerances: for suites, diagnosis and observations."""

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.values.leaves import CONTAINERS, arrays_in, leaf_pairs, to_array
from autograder.worker.values import Described, Opaque, Tensor

# How far apart two numbers may be, beside their size, that count as one.
DIGITS_RTOL = 1e-12  # two mistakes come to different numbers, in the last digits only
SUITE_RTOL = 1e-5  # an answer is right: float32 accuracy is enough
DIAGNOSIS_RTOL = 1e-4  # a mistake made again comes to what the answer came to, worked out in another order
HALF_RTOL = 2e-3  # what half precision leaves after a few steps

OF_LARGEST = 0.1  # small elements are judged beside the largest one, as float32 arithmetic would leave them
SMALLEST = 1e-12  # a difference that never counts


def same(one: object, other: object, rtol: float = DIAGNOSIS_RTOL) -> bool:
    """Whether two values hold the same, part by part; whether they require gradients is no part of a value."""
    if not (isinstance(one, CONTAINERS) and isinstance(other, CONTAINERS)):  # most are one leaf, and are asked often
        return one is other or _is_same_leaf(one, other, rtol)
    return one is other or all(_is_same_leaf(*pair, rtol) for pair in leaf_pairs(one, other))


def are_close(got: np.ndarray, expected: np.ndarray, rtol: float = SUITE_RTOL) -> np.ndarray:
    """Where numbers are as good as the expected ones; NaN is as good as NaN.

    Allowed are `rtol` of each element, and what float32 arithmetic leaves beside the largest one: a tenth of `rtol`.
    """
    size = np.abs(expected)
    largest = size.max(initial=0.0)
    with np.errstate(all="ignore"):
        if np.isfinite(largest):  # much the fastest way, and the usual one
            return np.abs(got - expected) <= rtol * size + max(OF_LARGEST * rtol * largest, SMALLEST)
        largest = size[np.isfinite(expected)].max(initial=0.0)
        return np.isclose(got, expected, rtol, max(OF_LARGEST * rtol * largest, SMALLEST), equal_nan=True)


def same_outcome(one: Call, other: Call, rtol: float = DIAGNOSIS_RTOL) -> bool:
    """Whether two calls came to the same: equal values and equal changes to their inputs, or the same error.

    The type of an error alone says too little: a ValueError may be anything.
    """
    if one.error or other.error:
        return bool(one.error and other.error) and all(
            one.error[part] == other.error[part] for part in ("type", "message")
        )
    return one.changed == other.changed and same(one.value, other.value, rtol)


def same_attributes(one: Call, other: Call) -> bool:
    """Whether two modules were made that keep the same tensors and modules where torch does not see them."""
    made = [call.value for call in (one, other) if isinstance(call.value, Described) and call.value.kind == "module"]
    return len(made) < 2 or made[0].parts.get("loose") == made[1].parts.get("loose")


def same_gradients(one: Call, other: Call) -> bool:
    """Whether the same tensors of two equal values ask for gradients, which is no part of the values."""
    pairs = leaf_pairs(one.value, other.value)
    return all(first.requires_grad == second.requires_grad for first, second in pairs if isinstance(first, Tensor))


def differ_exactly(one: Call, other: Call) -> bool:
    """Whether two calls returned what no rounding tells apart: other shapes, Booleans, integers, words or types."""
    if one.error or other.error or one.kind != "call":
        return False
    return any(_differ_exactly(*pair) for pair in leaf_pairs(one.value, other.value))


def is_finite(call: Call) -> bool:
    """Whether no number that came back is infinite or NaN."""
    return call.error is not None or all(np.isfinite(array).all() for array in arrays_in(call.value))


def _is_same_leaf(one: object, other: object, rtol: float) -> bool:
    arrays = to_array(one), to_array(other)
    if arrays[0] is not None and arrays[1] is not None:
        return isinstance(one, Tensor) == isinstance(other, Tensor) and _are_same_arrays(*arrays, rtol)
    if isinstance(one, Described) and isinstance(other, Described):
        if one.kind == "axes":
            return other.kind == "axes" and same(_unworded(one.parts), _unworded(other.parts), rtol)
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
    arrays = to_array(one), to_array(other)
    if arrays[0] is None or arrays[1] is None:
        return type(one) is not type(other) or repr(one) != repr(other)
    if arrays[0].shape != arrays[1].shape or _family(arrays[0]) != _family(arrays[1]):
        return True
    is_exact = all(array.dtype.kind in "biu" for array in arrays)
    return is_exact and bool((arrays[0] != arrays[1]).any())


def _unworded(parts: dict) -> dict:
    """A description that says of a title or a label whether there is one: their words are a matter of taste."""
    worded = {name: bool(parts[name].strip()) for name in ("title", "x_label", "y_label") if name in parts}
    return parts | worded | {"figures": ""}  # what is done to figures is no part of the picture


def _family(array: np.ndarray) -> str:
    return array.dtype.kind if array.dtype.kind in "bc" else "real"
