"""Small edits of one expression or statement. Most are rows of a table: a pattern and its replacements.

In a row, the letters A to D match any expression. Everything else matches itself.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from ..reading.definitions import is_constant_statement
from .edit import Edits, NameScope, SourceText

_SMALL = ("float16", "float32", "half", "bfloat16", "int", "int32", "int64", "long", "bool", "complex128")
# Operator -> the operators that the learner may have meant.
_COMPARISONS = {"<": "<=,>,>=", "<=": "<,>=,>", ">": ">=,<,<=", ">=": ">,<=,<", "==": "!=,>=,<=", "!=": "=="}
_COMPARISONS |= {"is": "is not", "is not": "is", "in": "not in", "not in": "in"}
_OPERATORS = {"+": "-,*", "-": "+,/", "*": "@,/,+,**", "/": "*,//,-", "@": "*", "//": "/,%", "%": "//", "**": "*"}
_OPERATORS |= {"&": "|", "|": "&"}
_FILLS = ("float('-inf')", "-1e9", "0", "1")
_SWAPS = ("A", *(f"A.swapaxes({axes})" for axes in ("-1, -2", "-2, -3", "1, 2", "0, 1")))


def _fill_in_signs(template: str, signs: str) -> list[str]:
    return [template.format(sign) for sign in signs.split(",")]


# Each row consists of the kind of edit, a pattern, and its replacements.
ROWS: tuple[tuple[str, ...], ...] = (
    *(("comparison", f"A {sign} B", *_fill_in_signs("A {} B", others)) for sign, others in _COMPARISONS.items()),
    ("mask", "~A", "A"),
    ("mask", "A.where(B, C, D)", "A.where(~B, C, D)"),
    ("mask", "A.masked_fill(B, C)", "A.masked_fill(~B, C)"),
    ("mask", "A.masked_fill_(B, C)", "A.masked_fill_(~B, C)"),
    ("axis", "len(A)", "A.shape[-1]", "A.shape[-2]"),
    ("truth", "True", "False"),
    ("truth", "False", "True"),
    ("condition", "not A", "A"),
    ("condition", "A and B", "A or B", "A", "B"),
    ("condition", "A or B", "A and B", "A", "B"),
    ("condition", "A if B else C", "A", "C", "A if not (B) else C"),
    *(("copy", f"A {sign}= B", f"A = A {sign} B") for sign in _OPERATORS),
    ("gradient", "A.data", "A"),
    ("gradient", "A.real", "A"),
    ("gradient", "A.no_grad()", "A.enable_grad()"),
    *(("dtype", f"A.{name}", "A.float64") for name in _SMALL),
    *(("dtype", f"A.{name}()", "A.double()") for name in ("half", "float", "bfloat16")),
    ("dtype", "A.astype(B)", "A.astype(float)", "A"),
    ("bounds", "A:", "A + 1:", "A - 1:", ":"),
    ("bounds", ":A", ":A + 1", ":A - 1", ":"),
    ("bounds", "A:B", "A + 1:B", "A - 1:B", "A:B + 1", "A:B - 1", ":B", "A:"),
    ("bounds", ":", "1:", ":-1"),
    ("bounds", "range(A)", "range(A + 1)", "range(A - 1)", "range(1, A)", "range(1, A + 1)"),
    ("bounds", "range(A, B)", "range(A, B + 1)", "range(A, B - 1)", "range(A + 1, B)", "range(A - 1, B)", "range(B)"),
    ("bounds", "A.arange(B)", "A.arange(B + 1)", "A.arange(B - 1)", "A.arange(1, B)", "A.arange(1, B + 1)"),
    ("bounds", "A.triu(B)", "A.triu(B, 1)", "A.triu(B, -1)"),
    ("bounds", "A.tril(B)", "A.tril(B, 1)", "A.tril(B, -1)"),
    ("transposition", "A @ B", "A.swapaxes(-1, -2) @ B", "A @ B.swapaxes(-1, -2)"),
    ("transposition", "A.T", "A", "A.swapaxes(-1, -2)"),
    ("transposition", "A.mT", "A", "A.swapaxes(-1, -2)"),
    ("transposition", "A.swapaxes(B, C)", *_SWAPS),
    ("transposition", "A.transpose(B, C)", *_SWAPS),
    ("transposition", "A.permute(B, C, D)", *_SWAPS),
    *(("operator", f"A {sign} B", *_fill_in_signs("A {} B", others)) for sign, others in _OPERATORS.items()),
    *(("operator", f"A {sign}= B", "A = B", *_fill_in_signs("A {}= B", _OPERATORS[sign])) for sign in "+-*/"),
    ("sign", "-A", "A"),
    ("sign", "A.exp(B)", "A.exp(-B)"),
    ("sign", "A.argsort(B)", "A.argsort(-B)"),
    *(("order", f"A {sign} B", f"B {sign} A") for sign in ("-", "/", "@", "//", "%", "**")),
    *(("order", f"A {low} B {high} C", f"(A {low} B) {high} C") for low in "+-" for high in "*/@"),
    *(("order", f"A {high} B {low} C", f"A {high} (B {low} C)") for low in "+-" for high in "*/@"),
    *(("order", f"(A {low} B) {high} C", f"A {low} B {high} C") for low in "+-" for high in "*/@"),
    *(("dropped", f"A {sign} B", "A", "B") for sign in _OPERATORS),
    ("constant", "A.where(B, C, D)", *(f"A.where(B, C, {fill})" for fill in _FILLS)),
    ("constant", "A.masked_fill(B, C)", *(f"A.masked_fill(B, {fill})" for fill in _FILLS)),
    ("scale", "A @ B", "A @ B / A.shape[-1] ** 0.5"),
    ("scale", "A / B", "A / B ** 0.5", "A / B ** 2"),
    ("scale", "A * B", "A * B ** 0.5", "A * B ** 2"),
    ("argument", "A.Linear(B, C)", "A.Linear(B, C, bias=False)"),
    ("return", "return A", "A"),
    ("return", "return A,", "return A"),
    ("return", "return A, B", "return A", "return B"),
    ("return", "return A, B, C", "return A", "return A, B"),
)
_LETTERS = "A", "B", "C", "D"
_LETTER = re.compile(r"\b[A-D]\b")
_ALONE_BEFORE, _ALONE_AFTER = re.compile(r"(?:[(,\[:]|return|(?<![<>=!])=) ?$"), re.compile(r"$|[),\]:]")


def edit_by_rows(node: ast.AST, text: SourceText) -> Edits:
    """Yield an edit (kind, node, new text) for each replacement in the table whose pattern matches the node."""
    if not isinstance(node, (ast.expr, ast.stmt)):
        return
    for kind, pattern, replacements in _group_rows().get(_get_type_key(node), ()):
        by_letter: dict[str, ast.expr] = {}
        if _matches(pattern, node, by_letter):
            for template in replacements:
                yield kind, node, _fill_template(template, by_letter, text)


@cache
def _group_rows() -> dict[tuple[type, type], list[tuple[str, ast.AST, list[str]]]]:
    rows: dict[tuple[type, type], list[tuple[str, ast.AST, list[str]]]] = {}
    for kind, pattern_text, *replacements in ROWS:
        pattern = _parse_pattern(pattern_text)
        rows.setdefault(_get_type_key(pattern), []).append((kind, pattern, replacements))
    return rows


def _get_type_key(node: ast.AST) -> tuple[type, type]:
    return type(node), type(getattr(node, "op", getattr(node, "func", None)))


def _parse_pattern(pattern_text: str) -> ast.AST:
    if ":" in pattern_text:
        return next(node for node in ast.walk(ast.parse(f"_[{pattern_text}]")) if isinstance(node, ast.Slice))
    statement = ast.parse(pattern_text).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


def _matches(pattern: object, part: Any, by_letter: dict[str, ast.expr]) -> bool:
    if isinstance(pattern, ast.Name) and pattern.id in _LETTERS:
        by_letter[pattern.id] = part
        return isinstance(part, ast.expr) and not isinstance(part, (ast.Slice, ast.Starred, ast.Tuple))
    if type(pattern) is not type(part):
        return False
    if isinstance(pattern, list):
        return len(pattern) == len(part) and all(_matches(*pair, by_letter) for pair in zip(pattern, part, strict=True))
    if isinstance(pattern, ast.AST):
        return all(_matches(value, getattr(part, field), by_letter) for field, value in ast.iter_fields(pattern))
    return pattern == part


def _fill_template(template: str, by_letter: dict[str, ast.expr], text: SourceText) -> str:
    """Return the template with its letters replaced by code, in parentheses unless it is a whole argument or item."""

    def format_part(letter: re.Match) -> str:
        is_alone = _ALONE_BEFORE.search(template[: letter.start()]) and _ALONE_AFTER.match(template[letter.end() :])
        return (text.code_of if is_alone else text.operand_of)(by_letter[letter[0]])

    return _LETTER.sub(format_part, template)


MAX_NAMES = 12  # in a scope with more names, names are not swapped, because there would be too many edits


def edit_names(node: ast.AST, text: SourceText, scope: NameScope) -> Edits:
    """Yield the edits (kind, node, new text) of a name, number or `einsum` string."""
    if isinstance(node, ast.Constant):
        numbers = _list_other_numbers(node, text, scope)
        yield from (("constant", node, f"({number})" if number[0] == "-" else number) for number in numbers)
        if isinstance(node.value, str) and "->" in node.value:
            yield from (("order", node, repr(number)) for number in _list_contractions(node.value))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        yield from (("constant", node, number) for number in ("float('-inf')", "-1e9", "0", "-1", "-2", "1"))
    elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
        yield from (("name", node, number) for number in _list_other_names(node, scope))


def _list_other_numbers(node: ast.Constant, text: SourceText, scope: NameScope) -> Iterator[str]:
    value, names = node.value, scope.parameters[:MAX_NAMES]
    if type(value) is int:
        yield from (str(number) for number in (value + 1, value - 1, -value, 0, 1, -1, 2, -2) if number != value)
        yield f"{value}.0"
        if value > 1 or text.source[: text.span_of(node)[0]].endswith("= "):
            yield from names
    elif isinstance(value, float):
        yield from ("0.0", "1.0", "0.5", "2.0", f"-{text.code_of(node)}")
        yield from ("float('-inf')", "float('inf')", "-1e9", *names)


def _list_contractions(rule: str) -> Iterator[str]:
    """Yield variants of an `einsum` rule: the last two letters of an array swapped, or batch axes added."""
    inputs, output = rule.replace(" ", "").split("->", 1)
    parts = [*inputs.split(","), output]
    for number, part in enumerate(parts):
        if len(part) > 1 and part[-2:].isalpha():
            swapped = [*parts]
            swapped[number] = part[:-2] + part[-1] + part[-2]
            yield f"{','.join(swapped[:-1])}->{swapped[-1]}"
    if "..." not in rule:
        yield f"{','.join(f'...{part}' for part in parts[:-1])}->...{output}"


def _list_other_names(node: ast.Name | ast.Attribute, scope: NameScope) -> list[str]:
    """Return the names in scope, or the class's attributes, that may replace this one. Functions are left out."""
    own_attributes = [f"self.{name}" for name in scope.attributes]
    if isinstance(node, ast.Attribute):
        is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
        return own_attributes if is_own and len(own_attributes) <= MAX_NAMES else []
    if node.id in scope.names:
        return list(scope.names) if len(scope.names) <= MAX_NAMES else []
    return [f"self.{node.id}"] if node.id in scope.attributes else []


_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.AnnAssign, ast.Return)
_ARRAYS = (ast.Name, ast.BinOp, ast.Call, ast.Subscript)


def edit_statement(node: ast.AST, text: SourceText) -> Edits:
    """Yield the edits (kind, node or span, new text) of a statement and of the statements inside it."""
    value = getattr(node, "value", None)
    if isinstance(node, (ast.Return, ast.Assign)) and isinstance(value, _ARRAYS):
        yield "transposition", value, f"{text.operand_of(value)}.swapaxes(-1, -2)"
        yield "sign", value, f"-{text.operand_of(value)}"
        if isinstance(node, ast.Assign) and not isinstance(value, ast.BinOp):  # Both names share the array: try a copy.
            yield "copy", value, f"{text.operand_of(value)}.{'clone' if text.torch and not text.numpy else 'copy'}()"
    if isinstance(node, (*_SIMPLE, ast.Raise)) and text.find_lines(node):
        yield "dropped", node, "pass"
    if isinstance(node, (ast.If, ast.While)):
        yield "condition", node.test, f"not ({text.code_of(node.test)})"
        yield from (("condition", node.test, word) for word in ("True", "False") if isinstance(node, ast.If))
    if isinstance(node, (ast.For, ast.If, ast.While, ast.With)):
        yield from _move_last_out(node, text)
    if isinstance(node, ast.FunctionDef):
        yield from edit_arguments(node, text)


def _move_last_out(node: ast.For | ast.If | ast.While | ast.With, text: SourceText) -> Edits:
    """Yield the edit that moves the last statement of a block out of it, such as a `return` inside a loop."""
    last = node.body[-1]
    if getattr(node, "orelse", None) or not isinstance(last, _SIMPLE) or not (place := text.find_lines(last)):
        return
    depth = last.col_offset
    moved_text = "\n".join(line[depth - node.col_offset :] for line in text.source[slice(*place)].split("\n"))
    yield "indentation", place, moved_text if len(node.body) > 1 else f"{' ' * depth}pass\n{moved_text}"


def edit_arguments(node: ast.FunctionDef | ast.ClassDef, text: SourceText) -> Edits:
    """Yield edits that convert an argument of a function to an array first."""
    body = [statement for statement in node.body if not is_constant_statement(statement)]
    if isinstance(node, ast.FunctionDef) and body and text.numpy and (place := text.find_lines(body[0])):
        for argument in (parameter.arg for parameter in node.args.args if parameter.arg != "self"):
            yield "array", (place[0], place[0]), f"{' ' * body[0].col_offset}{argument} = np.asarray({argument})\n"
