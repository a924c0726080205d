"""Sentences about operations whose operands have incompatible shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from autograder.judging.ask.evidence import PRODUCTS, find_mismatched_sizes

Shape = tuple[int, ...]
Operand = tuple[str, Shape | None]  # source text in the answer, and the shape, or None if unknown

_ELEMENTWISE = {"*", "mul", "multiply"}
_MASKING = {"masked_fill", "masked_fill_", "where"}
_UNKNOWN: list[Operand] = [("a", None), ("b", None)]
_MAX_SUGGESTIONS = 2


def explain_product(operation: str, operands: list[Operand], message: str) -> str:
    """Return a sentence on the axes of a matrix product that must be equal, and on operations that would fit."""
    sizes = " and ".join(map(str, find_mismatched_sizes(message)))
    here = f": here they are {sizes}" if sizes else ""
    if operation == "linear":
        return f"`linear` multiplies by the transposed weight, so the last axes of both must be equal{here}."
    (left, shape), (right, other) = operands if len(operands) == 2 and operation in PRODUCTS else _UNKNOWN
    if not shape or not other:
        return f"In `a @ b` the last axis of `a` must be as long as the second-to-last or only axis of `b`{here}."
    axis, size = ("first", other[0]) if len(other) == 1 else ("second-to-last", other[-2])
    if shape[-1] == size:
        names = f"`{left}` {_format_shape(shape)} and `{right}` {_format_shape(other)}"
        batches = f"{_format_shape(shape[:-2])} and {_format_shape(other[:-2])}"
        return f"The batch dimensions of {names} do not broadcast: they are {batches}."
    rule = f"The matrix product needs the last axis of `{left}` ({shape[-1]}) to equal the {axis} axis of `{right}`"
    return f"{rule} ({size})." + _format_question(_suggest_for_product(*operands))


def explain_broadcast(operation: str, operands: list[Operand], message: str) -> str:
    """Return a sentence on the sizes that do not broadcast, and on operations that would fit."""
    sizes = find_mismatched_sizes(message)
    if len(sizes) != 2:
        return ""
    library = "PyTorch" if "tensor a" in message else "NumPy"
    in_message = [tuple(map(int, re.findall(r"\d+", shape))) for shape in re.findall(r"\(([\d,]+)\)", message)]
    shapes = in_message if library == "NumPy" else [shape for _, shape in operands if shape]
    if len(operands) != 2 or len(shapes) < 2:
        rule = f"{library} aligns shapes on the right: here the sizes {sizes[1]} and {sizes[0]} meet"
        is_mask = operation in _MASKING
        cause = "Is an axis of the mask in the wrong place?" if is_mask else "Did a sum or a maximum lose its axis?"
        return f"{rule}, but they must be equal, or one of them must be 1. {cause}"
    operands = [(name, shape) for (name, _), shape in zip(operands, shapes, strict=False)]
    if operation in PRODUCTS:
        return explain_product(operation, operands, message)
    names = " and ".join(f"`{name}` {_format_shape(shape or ())}" for name, shape in operands)
    rule = f"{names} do not broadcast: one axis has the sizes {sizes[1]} and {sizes[0]}."
    return rule + _format_question(_suggest_for_broadcast(operation, *operands))


def _suggest_for_product(left: Operand, right: Operand) -> Iterator[str]:
    """Yield expressions with compatible shapes in place of a matrix product."""
    (one, shape), (other, another) = left, right
    assert shape and another
    if other.endswith(".T") and len(another) > 2 and _can_multiply(shape, _transpose(another[::-1])):
        yield f"{_name_transposed(other[:-2], another)}, as `.T` reverses all axes"
    if len(another) > 1 and _can_multiply(shape, _transpose(another)):
        yield _name_transposed(other, another)
    if len(shape) > 1 and _can_multiply(_transpose(shape), another):
        yield _name_transposed(one, shape)
    if _can_multiply(another, shape):
        yield f"`{other} @ {one}`"
    if _can_broadcast(shape, another):
        yield f"`{one} * {other}`, element by element"


def _suggest_for_broadcast(operation: str, left: Operand, right: Operand) -> Iterator[str]:
    """Yield expressions with compatible shapes in place of an elementwise operation."""
    (one, shape), (other, another) = left, right
    assert shape and another
    if operation in _ELEMENTWISE:
        if _can_multiply(shape, another):
            yield f"the matrix product `{one} @ {other}`"
        if _can_multiply(another, shape):
            yield f"the matrix product `{other} @ {one}`"
    for name, short, long in ((other, another, shape), (one, shape, another)):
        if len(short) == len(long) - 1 and _can_broadcast((*short, 1), long):
            is_name = re.fullmatch(r"[\w.]+", name)
            yield f"`{name}[..., None]`" if is_name else f"`keepdims=True` in `{name}`"


def _format_question(suggestions: Iterator[str]) -> str:
    """Return the question "Did you mean ...?" with the first suggestions; empty if there are none."""
    chosen = [*dict.fromkeys(suggestions)][:_MAX_SUGGESTIONS]
    return f" Did you mean {', or '.join(chosen)}?" if chosen else ""


def _can_multiply(left: Shape, right: Shape) -> bool:
    """Return whether a matrix product accepts these shapes; no array is made, because shapes can be forged."""
    return bool(left and right) and left[-1] == right[max(-2, -len(right))] and _can_broadcast(left[:-2], right[:-2])


def _can_broadcast(left: Shape, right: Shape) -> bool:
    try:
        np.broadcast_shapes(left, right)
    except ValueError:
        return False
    return True


def _transpose(shape: Shape) -> Shape:
    return (*shape[:-2], shape[-1], shape[-2]) if len(shape) > 1 else shape


def _name_transposed(name: str, shape: Shape) -> str:
    return f"`{name}.T`" if len(shape) == 2 else f"`{name}` with its last two axes swapped"


def _format_shape(shape: Shape) -> str:
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
