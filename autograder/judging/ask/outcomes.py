"""Whether two calls came to the same."""

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.values.leaves import arrays_in, leaf_pairs
from autograder.judging.values.same import DIAGNOSIS_RTOL, differ_beyond_rounding, same
from autograder.worker.values import Described, Tensor


def same_outcome(one: Call, other: Call, rtol: float = DIAGNOSIS_RTOL) -> bool:
    """Whether two calls came to the same: equal values and equal changes to their inputs, or the same error.

    The type of an error alone says too little: a ValueError may be anything.
    """
    if one.error and other.error:
        return all(one.error[part] == other.error[part] for part in ("type", "message"))
    if one.error or other.error:
        return False
    return one.changed == other.changed and same(one.value, other.value, rtol)


def same_attributes(one: Call, other: Call) -> bool:
    """Whether two modules were made that keep the same tensors and modules where torch does not see them."""
    modules = [call.value for call in (one, other) if isinstance(call.value, Described) and call.value.kind == "module"]
    return len(modules) < 2 or modules[0].parts.get("loose") == modules[1].parts.get("loose")


def same_gradients(one: Call, other: Call) -> bool:
    """Whether the same tensors of two equal values ask for gradients, which is no part of the values."""
    return all(
        first.requires_grad == second.requires_grad
        for first, second in leaf_pairs(one.value, other.value)
        if isinstance(first, Tensor) and isinstance(second, Tensor)
    )


def differ_exactly(one: Call, other: Call) -> bool:
    """Whether two calls returned what no rounding tells apart: other shapes, Booleans, integers, words or types."""
    return not (one.error or other.error) and one.kind == "call" and differ_beyond_rounding(one.value, other.value)


def is_finite(call: Call) -> bool:
    """Whether no number that came back is infinite or NaN."""
    return call.error is not None or all(np.isfinite(array).all() for array in arrays_in(call.value))
