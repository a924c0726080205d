"""Whether two calls came to the same, and whether they came to things that cannot have one cause."""

import numpy as np

from autograder.judging.values.compare import are_close, holds_text
from autograder.worker.values import Described, Opaque, Tensor

RTOL = 1e-4


def same_outcome(one, other, rtol=RTOL):
    """Whether two calls came to the same: equal values and equal changes to their inputs, or the same error.

    The type of an error alone says too little: a ValueError may be anything.
    """
    if one.error or other.error:
        return bool(one.error and other.error) and all(
            one.error[part] == other.error[part] for part in ("type", "message")
        )
    return one.changed == other.changed and _same_value(one.value, other.value, rtol)


def same_attributes(one, other):
    """Whether two modules were made that keep the same tensors and modules where torch does not see them."""
    made = [call.value for call in (one, other) if isinstance(call.value, Described) and call.value.kind == "module"]
    return len(made) < 2 or made[0].parts.get("loose") == made[1].parts.get("loose")


def cannot_agree(one, other):
    """Whether two calls returned what no rounding tells apart: other shapes, Booleans, integers, words or types."""
    if one.error or other.error or one.kind != "call":
        return False
    return _differs_exactly(one.value, other.value)


def is_finite(call):
    """Whether no number that came back is infinite or NaN."""
    return call.error is not None or all(np.isfinite(array).all() for array in numbers_in(call.value))


def numbers_in(value):
    """Every array, tensor, number and list of numbers in a value, as arrays."""
    if isinstance(value, Tensor):
        value = value.array
    if _is_numeric(value):
        yield np.asarray(value)
    elif isinstance(value, (list, tuple, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(part)


def _differs_exactly(one, other):
    one, other = (each.array if isinstance(each, Tensor) else each for each in (one, other))
    if any(isinstance(each, (Described, Opaque)) for each in (one, other)):
        return False
    if _is_numeric(one) and _is_numeric(other):
        one, other = np.asarray(one), np.asarray(other)
        if one.shape != other.shape or _family(one) != _family(other):
            return True
        is_exact = all(each.dtype.kind in "biu" for each in (one, other))
        return is_exact and bool((one != other).any())
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() != other.keys() or any(_differs_exactly(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) != len(other) or any(map(_differs_exactly, one, other))
    return type(one) is not type(other) or repr(one) != repr(other)


def _same_value(one, other, rtol):
    if one is other:
        return True
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return one.requires_grad == other.requires_grad and _same_numbers(one.array, other.array, rtol)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return _same_numbers(np.asarray(one), np.asarray(other), rtol)  # a matrix would stay one
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same_value(one[key], other[key], rtol) for key in one)
    if isinstance(one, Described) and isinstance(other, Described):
        if one.kind == "axes":
            return other.kind == "axes" and _same_value(_unworded(one.parts), _unworded(other.parts), rtol)
        return all(one.parts.get(name) == other.parts.get(name) for name in ("parameters", "training"))
    if isinstance(one, Opaque) and isinstance(other, Opaque):
        return True  # objects of two classes: what their methods return tells them apart
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)) and not _is_numeric(one):
        return len(one) == len(other) and all(_same_value(a, b, rtol) for a, b in zip(one, other, strict=True))
    if _is_numeric(one) and _is_numeric(other):
        return _same_numbers(np.asarray(one), np.asarray(other), rtol)
    return type(one) is type(other) and repr(one) == repr(other)


def _same_numbers(one, other, rtol):
    if one.shape != other.shape or _family(one) != _family(other):
        return False
    if one.dtype.kind == "b":
        return bool((one == other).all())
    if one.dtype.kind in "iu" or other.dtype.kind in "iu":
        one, other = one.astype(float), other.astype(float)
    return bool(are_close(one, other, rtol).all())


def _unworded(parts):
    """A description that says of a title or a label whether there is one: their words are a matter of taste."""
    return parts | {name: bool(parts[name].strip()) for name in ("title", "x_label", "y_label") if name in parts}


def _family(array):
    return array.dtype.kind if array.dtype.kind in "bc" else "real"


def _is_numeric(value):
    if isinstance(value, (bool, int, float, complex, np.generic, np.ndarray)):
        return np.asarray(value).dtype.kind in "biufc"
    if isinstance(value, (list, tuple)) and not holds_text(value):
        try:
            return np.asarray(value).dtype.kind in "biufc"
        except ValueError:
            return False
    return False
