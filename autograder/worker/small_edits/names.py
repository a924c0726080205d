"""Numbers, rules of `einsum`, and names that could have been another of the same scope."""

import ast
from collections.abc import Iterator

from .edit import Edits, Text
from .scope import Scope

MAX_NAMES = 12  # of which each could be any other: more would be most of the list


def edits(node: ast.AST, text: Text, scope: Scope) -> Edits:
    """(kind, node, new text) of what can be done to one node."""
    if isinstance(node, ast.Constant):
        others = _other_numbers(node, text, scope)
        yield from (("constant", node, f"({other})" if other[0] == "-" else other) for other in others)
        if isinstance(node.value, str) and "->" in node.value:
            yield from (("order", node, repr(other)) for other in _contractions(node.value))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        yield from (("constant", node, other) for other in ("float('-inf')", "-1e9", "0", "-1", "-2", "1"))
    elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
        yield from (("name", node, other) for other in _other_names(node, scope))


def _other_numbers(node: ast.Constant, text: Text, scope: Scope) -> Iterator[str]:
    value, names = node.value, scope.parameters[:MAX_NAMES]
    if type(value) is int:
        yield from (str(other) for other in (value + 1, value - 1, -value, 0, 1, -1, 2, -2) if other != value)
        yield f"{value}.0"
        if value > 1 or text.source[: text.span(node)[0]].endswith("= "):
            yield from names
    elif isinstance(value, float):
        yield from ("0.0", "1.0", "0.5", "2.0", f"-{text.code(node)}", "float('-inf')", "float('inf')", "-1e9", *names)


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
        yield f"{','.join(f'...{part}' for part in parts[:-1])}->...{output}"


def _other_names(node: ast.Name | ast.Attribute, scope: Scope) -> list[str]:
    """Names of the scope, or attributes of the class. A function's name is left to those of functions: see `calls`."""
    own_attributes = [f"self.{name}" for name in scope.attributes]
    if isinstance(node, ast.Attribute):
        is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
        return own_attributes if is_own and len(own_attributes) <= MAX_NAMES else []
    if node.id in scope.names:
        return list(scope.names) if len(scope.names) <= MAX_NAMES else []
    return [f"self.{node.id}"] if node.id in scope.attributes else []
