"""Constants, where things begin and end, and names that could have been another of the same scope."""

import ast
from collections.abc import Iterator

from ..reading.shortcuts import called
from .edit import Edits, Text
from .scope import Scope

MANY = 12  # names, of which each could be any other: more would be most of the list


def edits(node: ast.AST, text: Text, scope: Scope) -> Edits:
    """(kind, node or span, new text) of what can be done to one node."""
    if isinstance(node, ast.Constant):
        yield from _constant(node, text, scope)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        yield from _negative(node)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from _name(node, scope)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        if isinstance(node.ctx, ast.Load) and len(scope.attributes) <= MANY:
            for other in scope.attributes:
                yield "name", node, f"self.{other}"
    elif isinstance(node, ast.Slice):
        yield from _slice(node, text)
    elif isinstance(node, ast.Subscript):
        yield from _subscript(node, text)
    if isinstance(node, ast.Call):
        yield from _range(node, text)


def _constant(node: ast.Constant, text: Text, scope: Scope) -> Edits:
    value = node.value
    if isinstance(value, bool):
        yield "truth", node, str(not value)
    elif isinstance(value, int):
        others = [str(other) for other in (value + 1, value - 1, -value, 0, 1, -1, 2, -2) if other != value]
        for other in [*others, f"{value}.0"]:
            yield "constant", node, f"({other})" if _needs_brackets(text, node, other) else other
        if value > 1 or text.source[: text.span(node)[0]].endswith("= "):
            yield from (("constant", node, name) for name in scope.parameters[:MANY])
    elif isinstance(value, float):
        others = ("0.0", "1.0", "0.5", "2.0", f"-{text.of(node)}", "float('-inf')", "float('inf')", "-1e9")
        for other in (*others, *scope.parameters[:MANY]):
            yield "constant", node, other
    elif isinstance(value, str) and "->" in value:
        for other in _contractions(value):
            yield "order", node, repr(other)


def _needs_brackets(text: Text, node: ast.AST, other: str) -> bool:
    """Whether a negative number would stand behind a sign there."""
    return other[0] == "-" and text.source[: text.span(node)[0]].rstrip()[-1:] in "*-+/@"


def _negative(node: ast.UnaryOp) -> Edits:
    for other in ("float('-inf')", "-1e9", "0", "-1", "-2", "1"):
        yield "constant", node, other


def _contractions(rule: str) -> Iterator[str]:
    """The rule of an `einsum` with the last two letters of one of its arrays exchanged, or with batch axes."""
    inputs, output = rule.replace(" ", "").split("->", 1)
    parts = [*inputs.split(","), output]
    for number, part in enumerate(parts):
        if len(part) > 1 and part[-2:].isalpha():
            swapped = [*parts]
            swapped[number] = part[:-2] + part[-1] + part[-2]
            yield f"{','.join(swapped[:-1])}->{swapped[-1]}"
    if "..." not in rule:
        yield f"{','.join(f'...{each}' for each in parts[:-1])}->...{output}"


def _name(node: ast.Name, scope: Scope) -> Edits:
    """Another name of the scope. A function's name is left to those of functions: see `calls`."""
    if node.id in scope.names and len(scope.names) <= MANY:
        for other in scope.names:
            yield "name", node, other
    elif node.id not in scope.names and node.id in scope.attributes:
        yield "name", node, f"self.{node.id}"
    elif node.id == "inf":
        yield "sign", node, "-inf"


def _slice(node: ast.Slice, text: Text) -> Edits:
    for side in (node.lower, node.upper):
        if side is not None:
            for step in (" + 1", " - 1"):
                yield "bounds", side, text.operand(side) + step
    if isinstance(node.lower, ast.BinOp):
        yield "bounds", node.lower, f"max({text.of(node.lower)}, 0)"
    start, end = text.span(node)
    written = text.source[start:end]
    if node.lower is None and node.step is None:
        yield "bounds", node, f"1{written}"
    elif node.lower is not None:
        yield "bounds", node, written[len(text.of(node.lower)) :]
    if node.upper is None and node.step is None:
        yield "bounds", node, f"{written}-1"
    elif node.upper is not None:
        yield (
            "bounds",
            node,
            written.replace(text.of(node.upper), "", 1) if node.lower is None else (f"{text.of(node.lower)}:"),
        )


def _subscript(node: ast.Subscript, text: Text) -> Edits:
    if isinstance(node.ctx, ast.Load) and not isinstance(node.slice, (ast.Slice, ast.Tuple, ast.Constant)):
        for step in (" + 1", " - 1"):
            yield "bounds", node.slice, text.operand(node.slice) + step
    if isinstance(node.ctx, ast.Load) and isinstance(node.slice, (ast.Tuple, ast.Slice)):
        yield "new axis", node, text.of(node.value)


def _range(node: ast.Call, text: Text) -> Edits:
    function = called(node)
    if function == "len" and len(node.args) == 1:
        yield "axis", node, f"{text.operand(node.args[0])}.shape[-1]"
        yield "axis", node, f"{text.operand(node.args[0])}.shape[-2]"
    if function not in ("range", "arange") or not 1 <= len(node.args) <= 3:
        return
    written = [text.of(each) for each in node.args]
    for argument in node.args[:2]:
        for step in (" + 1", " - 1"):
            yield "bounds", argument, text.operand(argument) + step
    if len(written) == 1:
        yield "bounds", node.args[0], f"1, {written[0]}"
        yield "bounds", node.args[0], f"1, {written[0]} + 1"
    elif len(written) == 2:
        yield "bounds", (text.span(node.args[0])[0], text.span(node.args[1])[1]), written[1]
