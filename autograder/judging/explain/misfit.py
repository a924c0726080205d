"""Sentences about operations whose operands have incompatible shapes."""

from __future__ import annotations

import re

import numpy as np

from autograder.judging.ask.evidence import PRODUCTS, find_mismatched_sizes

Shape = tuple[int, ...]
Operand = tuple[str, Shape | None]  # source text in the answer, and the shape, or None if unknown

TORCH_ERROR = "RuntimeError"  # for incompatible shapes; NumPy raises ValueError
_UNKNOWN: list[Operand] = [("a", None), ("b", None)]


def explain_product(operation: str, operands: list[Operand], message: str) -> str:
    """Return a sentence on which axes of a matrix product must be equal, with a transpose that would work, or ""."""
    sizes = " and ".join(map(str, find_mismatched_sizes(message)))
    sizes_note = f": here they are {sizes}" if sizes else ""
    if operation == "linear":
        return f"`linear` multiplies by the transposed weight, so the last axes of both must be equal{sizes_note}."
    (left, left_shape), (right, right_shape) = operands if len(operands) == 2 and operation in PRODUCTS else _UNKNOWN
    if not left_shape or not right_shape:
        return f"In `a @ b` the last axis of `a` must be as long as the second-to-last or only axis of `b`{sizes_note}."
    nth, size = ("first", right_shape[0]) if len(right_shape) == 1 else ("second-to-last", right_shape[-2])
    if left_shape[-1] == size:
        return ""  # The batch dimensions do not broadcast.
    need = f"The matrix product needs the last axis of `{left}` ({left_shape[-1]}) to equal the {nth} axis of `{right}`"
    fits_transposed = len(right_shape) > 1 and left_shape[-1] == right_shape[-1]
    if not (fits_transposed and _can_broadcast(left_shape[:-2], right_shape[:-2])):
        return f"{need} ({size})."
    return f"{need} ({size}). Did you mean `{right}.{'T' if len(right_shape) == 2 else 'swapaxes(-2, -1)'}`?"


def explain_broadcast(operation: str, operands: list[Operand], error: str, message: str) -> str:
    """Return a sentence on the sizes that do not broadcast, or "" if they are unknown."""
    sizes = find_mismatched_sizes(message)
    if len(sizes) != 2:
        return ""
    in_message = [tuple(map(int, re.findall(r"\d+", shape))) for shape in re.findall(r"\(([\d,]+)\)", message)]
    shapes = [shape for _, shape in operands if shape] if error == TORCH_ERROR else in_message
    is_known = len(operands) == 2 and len(shapes) > 1
    operands = [(name, shape) for (name, _), shape in zip(operands, shapes, strict=False)] if is_known else []
    if is_known and operation in PRODUCTS:
        return explain_product(operation, operands, message)
    aligned = enumerate(zip(*(shape[::-1] for shape in shapes[:2] if is_known), strict=False), start=1)
    mismatches = [(-axis_number, *pair) for axis_number, pair in aligned if 1 not in pair and len({*pair}) > 1]
    if not mismatches:
        rule = f"Aligned on the right, the sizes {sizes[1]} and {sizes[0]} meet, but must be equal, or one of them 1."
        return f"{rule} Did a sum or a mask lose its axis, or is an axis in the wrong place?"
    names = " and ".join(f"`{name}` {_format_shape(shape or ())}" for name, shape in operands)
    axis, left_size, right_size = mismatches[0]
    return f"{names} do not broadcast: axis {axis} has size {left_size} in the first and {right_size} in the second."


def _can_broadcast(left: Shape, right: Shape) -> bool:
    """Return whether two shapes broadcast. No array is created, because a worker can forge shapes."""
    try:
        np.broadcast_shapes(left, right)
    except ValueError:
        return False
    return True


def _format_shape(shape: Shape) -> str:
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
