"""Sentences about operations whose operands have incompatible shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from autograder.judging.ask.evidence import PRODUCTS, find_mismatched_sizes

Shape = tuple[int, ...]
Operand = tuple[str, Shape | None]  # source text in the answer, and the shape, or None if unknown

TORCH_ERROR = "RuntimeError"  # for incompatible shapes; NumPy raises ValueError
_MASKING = {"masked_fill", "masked_fill_", "where"}
_UNKNOWN: list[Operand] = [("a", None), ("b", None)]
_MAX_SUGGESTIONS = 2


def explain_product(operation: str, operands: list[Operand], error: str, message: str) -> str:
    """Return a sentence on which axes of a matrix product must be equal, with expressions that would work."""
    sizes = " and ".join(map(str, find_mismatched_sizes(message)))
    sizes_note = f": here they are {sizes}" if sizes else ""
    if operation == "linear":
        return f"`linear` multiplies by the transposed weight, so the last axes of both must be equal{sizes_note}."
    (left, left_shape), (right, right_shape) = operands if len(operands) == 2 and operation in PRODUCTS else _UNKNOWN
    if not left_shape or not right_shape:
        return f"In `a @ b` the last axis of `a` must be as long as the second-to-last or only axis of `b`{sizes_note}."
    nth, size = ("first", right_shape[0]) if len(right_shape) == 1 else ("second-to-last", right_shape[-2])
    if left_shape[-1] == size:
        names = f"`{left}` {_format_shape(left_shape)} and `{right}` {_format_shape(right_shape)}"
        batches = f"{_format_shape(left_shape[:-2])} and {_format_shape(right_shape[:-2])}"
        return f"The batch dimensions of {names} do not broadcast: they are {batches}."
    need = f"The matrix product needs the last axis of `{left}` ({left_shape[-1]}) to equal the {nth} axis of `{right}`"
    return f"{need} ({size})." + _format_question(_suggest_for_product(*operands, is_torch=error == TORCH_ERROR))


def explain_broadcast(operation: str, operands: list[Operand], error: str, message: str) -> str:
    """Return a sentence on the sizes that do not broadcast, with expressions that would work."""
    sizes = find_mismatched_sizes(message)
    if len(sizes) != 2:
        return ""
    in_message = [tuple(map(int, re.findall(r"\d+", shape))) for shape in re.findall(r"\(([\d,]+)\)", message)]
    shapes = [shape for _, shape in operands if shape] if error == TORCH_ERROR else in_message
    is_known = len(operands) == 2 and len(shapes) > 1
    operands = [(name, shape) for (name, _), shape in zip(operands, shapes, strict=False)] if is_known else []
    if is_known and operation in PRODUCTS:
        return explain_product(operation, operands, error, message)
    aligned = enumerate(zip(*(shape[::-1] for shape in shapes[:2] if is_known), strict=False), start=1)
    mismatches = [(-axis_number, *pair) for axis_number, pair in aligned if 1 not in pair and len({*pair}) > 1]
    if not mismatches:
        rule = f"Aligned on the right, the sizes {sizes[1]} and {sizes[0]} meet, but must be equal, or one of them 1."
        cause = "Did a sum or a norm lose its axis, or run along the wrong one?"
        return f"{rule} {'Is an axis of the mask in the wrong place?' if operation in _MASKING else cause}"
    names = " and ".join(f"`{name}` {_format_shape(shape or ())}" for name, shape in operands)
    axis, left_size, right_size = mismatches[0]
    rule = f"{names} do not broadcast: axis {axis} has size {left_size} in the first and {right_size} in the second."
    return rule + _format_question(_suggest_for_broadcast(*operands))


def _suggest_for_product(left: Operand, right: Operand, is_torch: bool) -> Iterator[str]:
    """Yield similar expressions with compatible shapes, to suggest instead of a matrix product."""
    (left_name, left_shape), (right_name, right_shape) = left, right
    assert left_shape and right_shape
    if right_name.endswith(".T") and len(right_shape) > 2 and _can_multiply(left_shape, _transpose(right_shape[::-1])):
        yield f"{_name_transposed(right_name[:-2], right_shape, is_torch)}, as `.T` reverses all axes"
    if len(right_shape) > 1 and _can_multiply(left_shape, _transpose(right_shape)):
        yield _name_transposed(right_name, right_shape, is_torch)
    if _can_multiply(right_shape, left_shape):
        yield f"`{right_name} @ {left_name}`"


def _suggest_for_broadcast(left: Operand, right: Operand) -> Iterator[str]:
    """Yield similar expressions with compatible shapes, to suggest instead of an elementwise operation."""
    (left_name, left_shape), (right_name, right_shape) = left, right
    assert left_shape and right_shape
    for name, short, long in ((right_name, right_shape, left_shape), (left_name, left_shape, right_shape)):
        if len(short) == len(long) - 1 and _can_broadcast((*short, 1), long):
            is_name = re.fullmatch(r"[\w.]+", name)
            yield f"`{name}[..., None]`" if is_name else f"`keepdims=True` in `{name}`"


def _format_question(suggestions: Iterator[str]) -> str:
    """Return the question "Did you mean ...?" with the first suggestions; empty if there are none."""
    questions = [*dict.fromkeys(suggestions)][:_MAX_SUGGESTIONS]
    return f" Did you mean {', or '.join(questions)}?" if questions else ""


def _can_multiply(left: Shape, right: Shape) -> bool:
    """Return whether a matrix product accepts these shapes. No array is created, because a worker can forge shapes."""
    return bool(left and right) and left[-1] == right[max(-2, -len(right))] and _can_broadcast(left[:-2], right[:-2])


def _can_broadcast(left: Shape, right: Shape) -> bool:
    try:
        np.broadcast_shapes(left, right)
    except ValueError:
        return False
    return True


def _transpose(shape: Shape) -> Shape:
    return (*shape[:-2], shape[-1], shape[-2]) if len(shape) > 1 else shape


def _name_transposed(name: str, shape: Shape, is_torch: bool) -> str:
    if is_torch:
        return f"`{name}.transpose(-2, -1)`"
    return f"`{name}.T`" if len(shape) == 2 else f"`{name}` with its last two axes swapped"


def _format_shape(shape: Shape) -> str:
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
