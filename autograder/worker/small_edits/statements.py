"""Statements: dropped, exchanged, returned, and indented otherwise; conditions; what kind of thing comes in."""

import ast
import itertools

from ..reading.reach import is_text
from .edit import Edits, Text

_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.AnnAssign, ast.Return)
_BLOCKS = (ast.For, ast.If, ast.While, ast.With)
_ARRAYS = (ast.Name, ast.BinOp, ast.Call, ast.Subscript)


def edits(node: ast.AST, text: Text) -> Edits:
    """(kind, node or span, new text) of what can be done to one node, and to the statements below it."""
    value = getattr(node, "value", None)
    if isinstance(node, (ast.Return, ast.Assign)) and isinstance(value, _ARRAYS):
        yield "transposition", value, f"{text.operand(value)}.swapaxes(-1, -2)"
        yield "sign", value, f"-{text.operand(value)}"
        if isinstance(node, ast.Assign) and not isinstance(value, ast.BinOp):  # a second name is no copy
            yield "copy", value, f"{text.operand(value)}.{'clone' if text.torch and not text.numpy else 'copy'}()"
    if isinstance(node, (*_SIMPLE, ast.Raise)) and text.line_span(node):
        yield "dropped", node, "pass"
    if isinstance(node, (ast.If, ast.While)):
        yield "condition", node.test, f"not ({text.code(node.test)})"
        yield from (("condition", node.test, word) for word in ("True", "False") if isinstance(node, ast.If))
    if isinstance(node, _BLOCKS):
        for block in filter(None, (node.body, getattr(node, "orelse", []))):
            yield from _exchange_neighbours(block, text)
            yield from _move_out_last(node, block, text)
    if isinstance(node, ast.FunctionDef):
        yield from edits_of_body(node, text)


def edits_of_body(node: ast.FunctionDef | ast.ClassDef, text: Text) -> Edits:
    body = [statement for statement in node.body if not is_text(statement)]
    yield from _exchange_neighbours(body, text)
    yield from _into_loop(body, text)
    if isinstance(node, ast.ClassDef) or not body:
        return
    last, indent = body[-1], " " * body[0].col_offset
    if text.numpy and (place := text.line_span(body[0])):
        for argument in (parameter.arg for parameter in node.args.args if parameter.arg != "self"):
            yield "array", (place[0], place[0]), f"{indent}{argument} = np.asarray({argument})\n"
    if isinstance(last, ast.Expr):
        yield "return", last, f"return {text.code(last.value)}"
    elif isinstance(last, (*_SIMPLE, *_BLOCKS)) and not isinstance(last, ast.Return):
        for name in dict.fromkeys(_stored_names(last if isinstance(last, _SIMPLE) else node)):
            yield "return", (text.span(last)[1],) * 2, f"\n{indent}return {name}"


def _stored_names(node: ast.AST) -> list[str]:
    return [name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)]


def _exchange_neighbours(block: list[ast.stmt], text: Text) -> Edits:
    for first, second in itertools.pairwise(block):
        one, two = text.line_span(first), text.line_span(second)
        # What comes behind a return is left out, which is another edit.
        if one and two and isinstance(first, _SIMPLE) and isinstance(second, _SIMPLE[:-1]):
            parts = text.source[slice(*two)], text.source[one[1] : two[0]], text.source[slice(*one)]
            yield "statement order", (one[0], two[1]), "".join(parts)


def _move_out_last(node: ast.stmt, block: list[ast.stmt], text: Text) -> Edits:
    """The last statement of a block after the block, as with a `return` that stands too deep."""
    if getattr(node, "orelse", None) or not isinstance(block[-1], _SIMPLE) or not (place := text.line_span(block[-1])):
        return
    depth = block[-1].col_offset
    moved = _indent(text.source[slice(*place)], node.col_offset - depth)
    yield "indentation", place, moved if len(block) > 1 else f"{' ' * depth}pass\n{moved}"


def _into_loop(body: list[ast.stmt], text: Text) -> Edits:
    """What follows a loop as the last statement of the loop."""
    for loop, after in itertools.pairwise(body):
        if isinstance(loop, (ast.For, ast.While)) and isinstance(after, _SIMPLE) and (place := text.line_span(after)):
            depth = loop.body[-1].col_offset - after.col_offset
            yield "indentation", place, _indent(text.source[slice(*place)], depth)


def _indent(lines: str, by: int) -> str:
    return "\n".join(" " * by + line if by > 0 else line[-by:] for line in lines.split("\n"))
