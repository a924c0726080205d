"""Small edits that look at one piece of code alone, as rows: what is written, and what may have been meant.

In a row, A to D match any expression. All else matches itself.
"""

import ast
import re
from functools import cache
from typing import Any

from .edit import Edits, Text

_SMALL = ("float16", "float32", "half", "bfloat16", "int", "int32", "int64", "long", "bool", "complex128")
# What may have been meant by an operator.
_COMPARISONS = {"<": "<=,>,>=", "<=": "<,>=,>", ">": ">=,<,<=", ">=": ">,<=,<", "==": "!=,>=,<=", "!=": "=="}
_COMPARISONS |= {"is": "is not", "is not": "is", "in": "not in", "not in": "in"}
_OPERATORS = {"+": "-,*", "-": "+,/", "*": "@,/,+,**", "/": "*,//,-", "@": "*", "//": "/,%", "%": "//", "**": "*"}
_OPERATORS |= {"&": "|", "|": "&"}
_FILLS = ("float('-inf')", "-1e9", "0", "1")
_SWAPS = ("A", *(f"A.swapaxes({axes})" for axes in ("-1, -2", "-2, -3", "1, 2", "0, 1")))


def _others(template: str, signs: str) -> list[str]:
    return [template.format(sign) for sign in signs.split(",")]


# Kind, pattern, and all that it may become.
ROWS: tuple[tuple[str, ...], ...] = (
    *(("comparison", f"A {sign} B", *_others("A {} B", others)) for sign, others in _COMPARISONS.items()),
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
    *(("operator", f"A {sign} B", *_others("A {} B", others)) for sign, others in _OPERATORS.items()),
    *(("operator", f"A {sign}= B", "A = B", *_others("A {}= B", _OPERATORS[sign])) for sign in "+-*/"),
    ("sign", "-A", "A"),
    ("sign", "A.exp(B)", "A.exp(-B)"),
    ("sign", "A.argsort(B)", "A.argsort(-B)"),
    *(("order", f"A {sign} B", f"B {sign} A") for sign in ("-", "/", "@", "//", "%", "**")),
    *(("order", f"A {low} B {high} C", f"(A {low} B) {high} C") for low in "+-" for high in "*/@"),
    *(("order", f"A {high} B {low} C", f"A {high} (B {low} C)") for low in "+-" for high in "*/@"),
    *(("order", f"(A {low} B) {high} C", f"A {low} B {high} C") for low in "+-" for high in "*/@"),
    ("bracket", "A.exp(B) - C", "A.exp(B - C)"),
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
    *(("new axis", f"A {sign} B", f"A {sign} B[..., None]") for sign in "+-*/"),
)
_LETTERS = "A", "B", "C", "D"
_LETTER = re.compile(r"\b[A-D]\b")
_ALONE_BEFORE, _ALONE_AFTER = re.compile(r"(?:[(,\[:]|return|(?<![<>=!])=) ?$"), re.compile(r"$|[),\]:]")


def edits(node: ast.AST, text: Text) -> Edits:
    """(kind, node, new text) of every row that fits a node."""
    if not isinstance(node, (ast.expr, ast.stmt)):
        return
    for kind, pattern, becomes in _rows_by_type().get(_type_of(node), ()):
        by_letter: dict[str, ast.expr] = {}
        if _fits(pattern, node, by_letter):
            for template in becomes:
                yield kind, node, _fill_in(template, by_letter, text)


@cache
def _rows_by_type() -> dict[tuple[type, type], list[tuple[str, ast.AST, list[str]]]]:
    rows: dict[tuple[type, type], list[tuple[str, ast.AST, list[str]]]] = {}
    for kind, written, *becomes in ROWS:
        pattern = _pattern(written)
        rows.setdefault(_type_of(pattern), []).append((kind, pattern, becomes))
    return rows


def _type_of(node: ast.AST) -> tuple[type, type]:
    return type(node), type(getattr(node, "op", getattr(node, "func", None)))


def _pattern(written: str) -> ast.AST:
    if ":" in written:
        return next(node for node in ast.walk(ast.parse(f"_[{written}]")) if isinstance(node, ast.Slice))
    statement = ast.parse(written).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


def _fits(pattern: object, part: Any, by_letter: dict[str, ast.expr]) -> bool:
    if isinstance(pattern, ast.Name) and pattern.id in _LETTERS:
        by_letter[pattern.id] = part
        return isinstance(part, ast.expr) and not isinstance(part, (ast.Slice, ast.Starred, ast.Tuple))
    if type(pattern) is not type(part):
        return False
    if isinstance(pattern, list):
        return len(pattern) == len(part) and all(_fits(*pair, by_letter) for pair in zip(pattern, part, strict=True))
    if isinstance(pattern, ast.AST):
        return all(_fits(value, getattr(part, field), by_letter) for field, value in ast.iter_fields(pattern))
    return pattern == part


def _fill_in(template: str, by_letter: dict[str, ast.expr], text: Text) -> str:
    """The template with what the letters stand for, in brackets where it stands beside something."""

    def written(letter: re.Match) -> str:
        is_alone = _ALONE_BEFORE.search(template[: letter.start()]) and _ALONE_AFTER.match(template[letter.end() :])
        return (text.code if is_alone else text.operand)(by_letter[letter[0]])

    return _LETTER.sub(written, template)
