"""Whether two calls had the same outcome."""

import itertools
import re

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.values.leaves import arrays_in, leaf_pairs
from autograder.judging.values.same import DIAGNOSIS_RTOL, differ_beyond_rounding, same
from autograder.worker.values import Described, Tensor

PRODUCTS = {"@", "matmul", "dot", "mm", "mv", "bmm"}
# How NumPy and torch name two sizes that do not fit: every spelling of the same operation has words of its own.
_SIZES_THAT_DO_NOT_FIT = (
    r"size (\d+) is different from (\d+)",  # np.matmul
    r"not aligned: (\d+) \(dim \d+\) != (\d+)",  # np.dot
    r"\(\d+x(\d+) and (\d+)x\d+\)",  # torch.matmul
    r"mat \(\d+x(\d+)\), vec \((\d+)\)",
    r"tensor \[(\d+)\] and src \[(\d+)\]",  # torch.dot
    r"batch2 tensor to be: \[\d+, (\d+)\] but got: \[\d+, (\d+)\]",  # torch.bmm
    r"has size (\d+) for operand .* previously seen size (\d+)",  # torch.einsum
    r"tensor a \((\d+)\) must match the size of tensor b \((\d+)\)",
    r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\)",
    r"Expected size (\d+) but got size (\d+)",  # torch.cat
    r"target size \[\d+, (\d+)\], got \[\d+, (\d+)\]",  # torch's cross_entropy
    r"batch_size \((\d+)\) to match target batch_size \((\d+)\)",
)
_SHAPES_THAT_DO_NOT_FIT = re.compile(r"could not be broadcast together with .*?shapes?")
_SHAPE = re.compile(r"(?:->)?\(([\dnewaxis,]*)\)")


def error_key(error: dict) -> tuple:
    """Return what identifies an error in any spelling: its type and the sizes that do not fit, or its message."""
    return error["type"], sizes_that_do_not_fit(error["message"]) or error["message"]


def sizes_that_do_not_fit(message: str) -> tuple[int, ...]:
    """Return the two sizes that an error about shapes complains of, the smaller one first; empty for other errors."""
    for pattern in _SIZES_THAT_DO_NOT_FIT:
        if match := re.search(pattern, message):
            return tuple(sorted(map(int, match.groups())))
    if found := _SHAPES_THAT_DO_NOT_FIT.search(message):
        texts = [shape[0] for shape in _SHAPE.finditer(message, found.end())]
        texts = [text for text in texts if text.startswith("->")] or texts
        shapes = [[int(size.replace("newaxis", "1")) for size in re.findall(r"\w+", text)] for text in texts]
        for sizes in itertools.zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1):
            if len(different := sorted({*sizes} - {1})) > 1:
                return tuple(different)
    return ()


def _may_have_same_operands(one: dict, other: dict) -> bool:
    """Return whether two failed operations may have had the same operands, one of them perhaps row by row in a loop."""
    (name, operands), (another, others) = (error.get("operation") or ["", []] for error in (one, other))
    if name != another and not {name, another} <= PRODUCTS:
        return True  # other functions have their operands in an order of their own
    shapes = [[shape for _, shape in pair] for pair in zip(operands, others, strict=False)]
    trailing = [
        pair for first, second in shapes if first and second for pair in zip(first[::-1], second[::-1], strict=False)
    ]
    return all(size == another for size, another in trailing)


def same_outcome(one: Call, other: Call, rtol: float = DIAGNOSIS_RTOL) -> bool:
    """Return whether two calls had equal results and mutated arguments, or the same error, not just its type."""
    if one.error and other.error:
        return error_key(one.error) == error_key(other.error) and _may_have_same_operands(one.error, other.error)
    if one.error or other.error:
        return False
    return one.changed == other.changed and same(one.value, other.value, rtol)


def same_attributes(one: Call, other: Call) -> bool:
    """Whether two modules were made that keep the same tensors and modules where torch does not see them."""
    modules = [call.value for call in (one, other) if isinstance(call.value, Described) and call.value.kind == "module"]
    return len(modules) < 2 or modules[0].parts.get("loose") == modules[1].parts.get("loose")


def same_details(one: Call, other: Call) -> bool:
    """Return whether two calls with the same outcome agree in what is no part of it.

    That is the message of an error, and which tensors require gradients.
    """
    if one.error and other.error:
        return one.error["message"] == other.error["message"]
    return all(
        first.requires_grad == second.requires_grad
        for first, second in leaf_pairs(one.value, other.value)
        if isinstance(first, Tensor) and isinstance(second, Tensor)
    )


def differ_exactly(one: Call, other: Call) -> bool:
    """Whether two calls returned what no rounding tells apart: other shapes, Booleans, integers, words or types."""
    return not (one.error or other.error) and one.kind == "call" and differ_beyond_rounding(one.value, other.value)


def is_finite(call: Call) -> bool:
    return call.error is not None or all(np.isfinite(array).all() for array in arrays_in(call.value))
