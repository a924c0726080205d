"""Finds in the text of a wrong answer what is hardly ever meant.

A result that is thrown away, one row in the place of all, what all instances share, an argument that nobody reads.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace

from autograder.judging.explain.case import Running
from autograder.judging.verdict.explanation import Explanation, Kind
from autograder.judging.verdict.finding import ROOM

# Methods and functions that return something new and change nothing.
PURE = {
    *("abs", "amax", "amin", "astype", "clone", "contiguous", "cumsum", "div"),
    *("einsum", "exp", "expand", "flatten", "lower", "masked_fill", "matmul", "mean"),
    *("mul", "permute", "replace", "reshape", "softmax", "split", "squeeze", "strip"),
    *("swapaxes", "tanh", "transpose", "tril", "triu", "unsqueeze", "upper", "view"),
    "where",
}
Slip = tuple[int, str]  # line in the cell, and what is the matter


def find_slip(case: Running) -> Explanation | None:
    """The first slip in code that the exercise leads to."""
    mismatch, exercise = case.speaking.mismatch, case.exercise.name
    if mismatch and mismatch.rung == "attribute":
        return None  # what a module is made of has nothing to do with what it reads
    for name, cell, definition in sorted(case.definitions(), key=lambda reached: reached[0] != exercise):
        readers = READERS if name == exercise else READERS[:-1]
        for line, sentence in (slip for reader in readers for slip in reader(definition)):
            return _told(f"{sentence} ({cell.place}, line {cell.line + line - 1}).", case)
    return None


def _told(slip: str, case: Running) -> Explanation | None:
    """The slip, behind what it comes to where that is known and there is room for both and for the call."""
    earlier = case.verdict.explanation
    if earlier is None or not earlier.sentence:
        return Explanation(Kind.SLIP, slip)
    whole = f"{earlier.sentence} {slip}"
    room = ROOM - sum(len(part) + 1 for part in case.speaking.shorten(ROOM // 2))
    return replace(earlier, sentence=whole) if len(whole) <= room else None


def _thrown_away(definition: ast.AST) -> Iterator[Slip]:
    for node in ast.walk(definition):
        if not isinstance(node, ast.Expr):
            continue
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        if call.func.attr in PURE and not any(keyword.arg == "out" for keyword in call.keywords):
            yield node.lineno, f"What `{call.func.attr}` returns is thrown away: it changes nothing in place"


def _one_row_for_all(definition: ast.AST) -> Iterator[Slip]:
    nodes = list(ast.walk(definition))
    targets = [node for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)]
    if any(isinstance(target.value, ast.Subscript) for target in targets):
        for node in nodes:
            row = _repeated(node)
            if row and _repeated(row):
                yield row.lineno, "One and the same row stands in every place: what is written into one is in all"


def _repeated(node: ast.AST) -> ast.expr | None:
    """The one element of a list times a number; None for all else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
        return node.left.elts[0] if len(node.left.elts) == 1 else None
    return None


def _shared(definition: ast.AST) -> Iterator[Slip]:
    for statement in definition.body if isinstance(definition, ast.ClassDef) else ():
        if isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.List, ast.Dict)):
            yield statement.lineno, f"All instances share `{ast.unparse(statement.targets[0])}`, for it is the class's"


def _never_read(definition: ast.AST) -> Iterator[Slip]:
    functions = definition.body if isinstance(definition, ast.ClassDef) else [definition]
    for function in (node for node in functions if isinstance(node, ast.FunctionDef)):
        read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        for argument in function.args.args:
            if argument.arg not in {"self", *read} and not argument.arg.startswith("_"):
                yield function.lineno, f"`{function.name}` never reads its argument `{argument.arg}`"


# The last is asked of the exercise alone: a function of one's own may have an argument for others.
READERS: tuple[Callable[[ast.AST], Iterator[Slip]], ...] = (_thrown_away, _one_row_for_all, _shared, _never_read)
