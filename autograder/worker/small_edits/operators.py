"""Operators, signs, comparisons, conditions, and the order of what stands around them."""

import ast
import itertools
import re

from .edit import Edits, Text
from .scope import Scope

_SIGNS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.MatMult: "@",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
}
_OTHERS = {
    "+": "-*",
    "-": "+/",
    "*": ("@", "/", "+", "**"),
    "/": ("*", "//", "-"),
    "@": "*",
    "//": ("/", "%"),
    "%": ("//",),
    "**": ("*",),
    "&": "|",
    "|": "&",
}
_COMPARED = {
    ast.Lt: ("<", ("<=", ">", ">=")),
    ast.LtE: ("<=", ("<", ">=", ">")),
    ast.Gt: (">", (">=", "<", "<=")),
    ast.GtE: (">=", (">", "<=", "<")),
    ast.Eq: ("==", ("!=", ">=", "<=")),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
_UNORDERED = "+*&|"
_NUMBERS = (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute, ast.IfExp)


def edits(node: ast.AST, text: Text, scope: Scope) -> Edits:
    """(kind, node or span, new text) of what can be done to one node."""
    if isinstance(node, ast.BinOp):
        yield from _binary(node, text)
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Name, ast.Subscript)):
        if place := _between(node.targets[0], node.value, "=", text):
            yield "operator", place, "+="
    elif isinstance(node, ast.AugAssign):
        yield from _augmented(node, text)
    elif isinstance(node, ast.Compare):
        yield from _compared(node, text)
    elif isinstance(node, ast.BoolOp):
        yield from _joined(node, text)
    elif isinstance(node, ast.UnaryOp):
        yield from _unary(node, text)
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        test = node.test
        if not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            yield "condition", test, f"not ({text.of(test)})"
    if isinstance(node, ast.IfExp):
        yield "condition", node, text.operand(node.body)
        yield "condition", node, text.operand(node.orelse)
    is_result = isinstance(node, ast.Return) and isinstance(node.value, _NUMBERS)
    if is_result or (isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp)):
        yield "sign", node.value, f"-{text.operand(node.value)}"


def _between(left: ast.AST, right: ast.AST, sign: str, text: Text) -> tuple[int, int] | None:
    """The span of an operator between two nodes, or None."""
    start, end = text.span(left)[1], text.span(right)[0]
    blanked = re.sub(r"#.*", lambda found: " " * len(found[0]), text.source[start:end])
    at = blanked.find(sign)
    return None if at < 0 else (start + at, start + at + len(sign))


def _binary(node: ast.BinOp, text: Text) -> Edits:
    sign = _SIGNS.get(type(node.op))
    if sign is None:
        return
    left, right = text.operand(node.left), text.operand(node.right)
    if place := _between(node.left, node.right, sign, text):
        by_one = isinstance(node.right, ast.Constant) and node.right.value == 1
        for other in _OTHERS[sign]:
            if not (by_one and other in "*/"):  # the same as leaving it out
                yield "operator", place, other
    if sign not in _UNORDERED:
        yield "order", node, f"{right} {sign} {left}"
    yield "dropped", node, left
    yield "dropped", node, right
    if isinstance(node.left, ast.BinOp) and sign in "/*":  # a + b / c was meant as (a + b) / c, or the other way
        inner = node.left
        own = _SIGNS.get(type(inner.op))
        if own:
            yield "order", node, f"{text.operand(inner.left)} {own} {text.operand(inner.right)} {sign} {right}"
    if isinstance(node.right, ast.BinOp) and (own := _SIGNS.get(type(node.right.op))):
        inner = node.right
        grouped = f"({left} {sign} {text.operand(inner.left)}) {own} {text.operand(inner.right)}"
        yield "order", node, grouped
    if isinstance(node.left, ast.BinOp) and (own := _SIGNS.get(type(node.left.op))):
        inner = node.left
        yield "order", node, f"{text.operand(inner.left)} {own} ({text.operand(inner.right)} {sign} {right})"


def _augmented(node: ast.AugAssign, text: Text) -> Edits:
    sign = _SIGNS.get(type(node.op))
    place = sign and _between(node.target, node.value, f"{sign}=", text)
    if not place:
        return
    target, value = text.of(node.target), text.operand(node.value)
    yield "operator", place, "="
    yield "copy", node, f"{target} = {target} {sign} {value}"
    for other in _OTHERS[sign]:
        yield "operator", place, f"{other}="


def _compared(node: ast.Compare, text: Text) -> Edits:
    sides = [node.left, *node.comparators]
    for number, operator in enumerate(node.ops):
        sign, others = _COMPARED[type(operator)]
        if place := _between(sides[number], sides[number + 1], sign, text):
            for other in others:
                yield "comparison", place, other


def _joined(node: ast.BoolOp, text: Text) -> Edits:
    sign, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for left, right in itertools.pairwise(node.values):
        if place := _between(left, right, sign, text):
            yield "condition", place, other
    for value in node.values:
        kept = [text.operand(each) for each in node.values if each is not value]
        yield "condition", node, f" {sign} ".join(kept)


def _unary(node: ast.UnaryOp, text: Text) -> Edits:
    inner = text.operand(node.operand)
    if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield "sign", node, inner
    elif isinstance(node.op, ast.Not):
        yield "condition", node, inner
    elif isinstance(node.op, ast.Invert):
        yield "mask", node, inner
