"""Statements: dropped, doubled, exchanged, returned, and indented otherwise."""

import ast
import itertools

from ..reading.reach import is_text
from .edit import Edits, Text
from .scope import Scope

_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.AnnAssign, ast.Return)


def edits(node: ast.AST, text: Text, scope: Scope) -> Edits:
    """(kind, node or span, new text) of what can be done to one node, and to the statements below it."""
    if isinstance(node, ast.Return) and node.value is not None:
        yield from _returned(node, text, scope)
    if isinstance(node, (*_SIMPLE, ast.Raise)) and (place := text.line_span(node)):
        yield "dropped", node, "pass"
        if not isinstance(node, (ast.Return, ast.Raise)):
            yield "doubled", (place[1], place[1]), "\n" + text.source[place[0] : place[1]]
    if isinstance(node, ast.If):
        yield "condition", node.test, "True"
        yield "condition", node.test, "False"
    for block in ("body", "orelse"):
        held = getattr(node, block, None)
        if isinstance(held, list) and held and isinstance(held[0], ast.stmt):
            yield from _exchanged(held, text)
            if isinstance(node, (ast.For, ast.If, ast.While, ast.With)):
                yield from _moved_out(node, held, text)
    if isinstance(node, ast.FunctionDef):
        yield from edits_of_body(node, text)


def edits_of_body(node: ast.FunctionDef | ast.ClassDef, text: Text) -> Edits:
    """What can be done to the body of a function, or of a class."""
    body = [each for each in node.body if not is_text(each)]
    yield from _exchanged(body, text)
    yield from _into_loop(body, text)
    if isinstance(node, ast.ClassDef) or not body:
        return
    first, last = body[0], body[-1]
    indent = " " * first.col_offset
    place = text.line_span(first)
    if place and text.numpy:
        for argument in node.args.args:
            if argument.arg != "self":
                new = f"{indent}{argument.arg} = np.asarray({argument.arg})\n"
                yield "array", (place[0], place[0]), new
    if isinstance(last, ast.Expr):
        yield "return", last, f"return {text.of(last.value)}"
    elif isinstance(last, (ast.Assign, ast.AugAssign)):
        target = last.targets[0] if isinstance(last, ast.Assign) else last.target
        if place := text.line_span(last):
            yield "return", (place[1], place[1]), f"\n{indent}return {text.of(target)}"
    elif isinstance(last, (ast.For, ast.While, ast.If, ast.With)):
        for name in dict.fromkeys(_stored(node)):
            yield "return", (text.span(last)[1],) * 2, f"\n{indent}return {name}"


def _stored(node: ast.AST) -> list[str]:
    return [each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]


def _returned(node: ast.Return, text: Text, scope: Scope) -> Edits:
    if isinstance(node.value, ast.Tuple):
        for each in node.value.elts:
            yield "return", node.value, text.of(each)
        return
    yield "return", node, text.of(node.value)
    for name in scope.names if isinstance(node.value, ast.Name) else ():
        yield "return", node.value, f"{text.of(node.value)}, {name}"
        yield "return", node.value, f"{name}, {text.of(node.value)}"


def _exchanged(held: list[ast.stmt], text: Text) -> Edits:
    """Neighbours in each other's place."""
    for first, second in itertools.pairwise(held):
        one, two = text.line_span(first), text.line_span(second)
        if not (one and two and isinstance(first, _SIMPLE) and isinstance(second, _SIMPLE)):
            continue
        if isinstance(second, ast.Return):  # what comes behind it is left out, which is another edit
            continue
        between = text.source[one[1] : two[0]]
        new = text.source[two[0] : two[1]] + between + text.source[one[0] : one[1]]
        yield "statement order", (one[0], two[1]), new


def _moved_out(node: ast.stmt, held: list[ast.stmt], text: Text) -> Edits:
    """The last statement of a block after the block, as with a `return` that stands too deep."""
    last, place = held[-1], text.line_span(held[-1])
    if place and not getattr(node, "orelse", None) and isinstance(last, _SIMPLE):
        moved = _indented(text.source[place[0] : place[1]], node.col_offset - last.col_offset)
        new = moved if len(held) > 1 else f"{' ' * last.col_offset}pass\n{moved}"
        yield "indentation", place, new


def _into_loop(body: list[ast.stmt], text: Text) -> Edits:
    """What follows a loop as the last statement of the loop."""
    for loop, after in itertools.pairwise(body):
        place = text.line_span(after)
        if isinstance(loop, (ast.For, ast.While)) and place and isinstance(after, _SIMPLE):
            depth = loop.body[-1].col_offset - after.col_offset
            yield "indentation", place, _indented(text.source[place[0] : place[1]], depth)


def _indented(lines: str, by: int) -> str:
    """Lines so many columns further in, or out."""
    return "\n".join(" " * by + line if by > 0 else line[-by:] for line in lines.split("\n"))
