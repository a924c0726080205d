"""What arrays and tensors are taken for: transposed, masked, scaled, of a dtype, with gradients, with one axis more."""

import ast

from ..reading.shortcuts import called
from .calls import call_text, keywords, written_arguments
from .edit import Edits, Text
from .scope import Scope

_SWAPS = ("transpose", "swapaxes", "permute", "moveaxis")
_ARRAYS = (ast.Name, ast.BinOp, ast.Call, ast.Subscript)
_LOW = ("float16", "float32", "half", "bfloat16", "int", "int32", "int64", "long", "bool", "complex128")
_MADE = ("zeros_like", "ones_like", "empty_like", "full_like", "asarray", "array", "zeros", "ones", "full", "arange")


def edits(node: ast.AST, text: Text, scope: Scope) -> Edits:
    """(kind, node or span, new text) of what can be done to one node."""
    if isinstance(node, ast.BinOp):
        yield from _product(node, text)
    elif isinstance(node, ast.Attribute):
        yield from _attribute(node, text)
    elif isinstance(node, ast.Call):
        yield from _call(node, text, scope)
    elif isinstance(node, ast.Assign):
        yield from _assigned(node, text, scope)
        yield from _scaled(node, text, scope)
    value = getattr(node, "value", None)
    if isinstance(node, (ast.Return, ast.Assign)) and isinstance(value, _ARRAYS):
        yield "transposition", value, f"{text.operand(value)}.swapaxes(-1, -2)"
    if base := _swapped(node):
        yield "transposition", node, text.of(base)
        yield "transposition", node, f"{text.of(base)}.swapaxes(-1, -2)"


def _product(node: ast.BinOp, text: Text) -> Edits:
    left, right = text.operand(node.left), text.operand(node.right)
    if isinstance(node.op, ast.MatMult):
        for side, operand in ((node.left, left), (node.right, right)):
            if not _swapping(side):
                yield "transposition", side, f"{operand}.swapaxes(-1, -2)"
        yield "scale", node, f"{left} @ {right} / {left}.shape[-1] ** 0.5"
        yield "order", node, f"({right} @ {left}.swapaxes(-1, -2)).swapaxes(-1, -2)"
    elif isinstance(node.op, (ast.Div, ast.Mult, ast.Sub, ast.Add)):
        if isinstance(node.op, (ast.Div, ast.Mult)):
            yield "scale", node.right, f"{right} ** 0.5"
            yield "scale", node.right, f"{right} ** 2"
        if not isinstance(node.right, ast.Constant):
            yield "new axis", node.right, f"{right}[..., None]"
        if not isinstance(node.left, ast.Constant):
            yield "new axis", node.left, f"{left}[..., None]"


def _swapped(node: ast.AST) -> ast.expr | None:
    """What a node swaps axes of, or None."""
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return node.value
    base = node.func.value if _swapping(node) else None
    return None if isinstance(base, ast.Name) and base.id in ("np", "torch", "numpy") else base


def _swapping(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SWAPS


def _attribute(node: ast.Attribute, text: Text) -> Edits:
    if node.attr in _LOW:
        end = text.span(node)[1]
        yield "dtype", (end - len(node.attr), end), "float64"


def _call(node: ast.Call, text: Text, scope: Scope) -> Edits:
    name, written = called(node), written_arguments(node, text)
    if name in ("where", "masked_fill", "masked_fill_") and node.args:
        mask = node.args[0]
        if not (isinstance(mask, ast.UnaryOp) and isinstance(mask.op, ast.Invert)):
            yield "mask", mask, f"~{text.operand(mask)}"
        for fill in ("float('-inf')", "-1e9", "0", "1"):
            yield "constant", node.args[-1], fill
    if name == "no_grad":
        yield "gradient", node, call_text(node, text, [], "torch.enable_grad")
    if name in ("triu", "tril") and len(written) == 1:
        for other in ("1", "-1"):
            yield "bounds", node, call_text(node, text, [*written, other])
    if name in ("view", "reshape", "flatten") and isinstance(node.func, ast.Attribute):
        base = node.func.value
        yield "transposition", base, f"{text.operand(base)}.swapaxes(-2, -3)"
    if name in ("view", "reshape") and len(written) > 2:
        for axes in ("1, 2", "-2, -3"):
            yield "transposition", node, f"{text.of(node)}.swapaxes({axes})"
    if _swapping(node):
        base = text.operand(node.func.value)
        for axes in ("-1, -2", "-2, -3", "1, 2", "0, 1"):
            yield "transposition", node, f"{base}.swapaxes({axes})"
    yield from _dtypes(node, text, scope)


def _dtypes(node: ast.Call, text: Text, scope: Scope) -> Edits:
    name, given, written = called(node), keywords(node), written_arguments(node, text)
    if "dtype" in given:
        for other in ("float", "int", "bool"):
            yield "dtype", given["dtype"].value, other
    elif name in _MADE and scope.numpy and not scope.torch:
        yield "dtype", node, call_text(node, text, [*written, "dtype=float"])
    elif name in _MADE and scope.torch and scope.parameters:
        yield "dtype", node, call_text(node, text, [*written, f"dtype={scope.parameters[0]}.dtype"])
    if name == "astype" and node.args:
        yield "dtype", node.args[0], "float"
    if name in ("half", "float", "bfloat16") and isinstance(node.func, ast.Attribute):
        end = text.span(node.func)[1]
        yield "dtype", (end - len(name), end), "double"


def _scaled(node: ast.Assign, text: Text, scope: Scope) -> Edits:
    """What a scale that was worked out above was forgotten in, and a last axis of length one."""
    if isinstance(node.value, _ARRAYS):
        value = text.operand(node.value)
        for name in scope.scales:
            yield "scale", node.value, f"{value} / {name}"
            yield "scale", node.value, f"{value} * {name}"
        if not isinstance(node.value, ast.Name):
            yield "new axis", node.value, f"{value}.squeeze(-1)"


def _assigned(node: ast.Assign, text: Text, scope: Scope) -> Edits:
    """A second name for an array is no copy of it."""
    word = scope.word("copy")
    if isinstance(node.value, (ast.Name, ast.Attribute)):
        yield "copy", node.value, f"{text.of(node.value)}.{word}()"
    elif isinstance(node.value, ast.Call) and called(node.value) == "asarray":
        yield "copy", node.value, f"{text.of(node.value)}.copy()"
    elif isinstance(node.value, ast.Call) and called(node.value) in ("setdefault", "get"):
        yield "copy", node.value, f"{text.of(node.value)}.{word}()"
