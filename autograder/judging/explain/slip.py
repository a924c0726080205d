"""Finds in the text of a wrong answer what is hardly ever meant: a result thrown away, an argument never read."""

import ast
from collections.abc import Iterator
from dataclasses import replace

from autograder.judging.explain.case import Running
from autograder.judging.verdict.explanation import Explanation, Kind
from autograder.judging.verdict.finding import ROOM
from autograder.worker.reading.definitions import definition_in, parsed

# Methods and functions that return something new and change nothing.
PURE = {
    *("abs", "amax", "amin", "astype", "clone", "contiguous", "cumsum", "div"),
    *("einsum", "exp", "expand", "flatten", "lower", "masked_fill", "matmul", "mean"),
    *("mul", "permute", "replace", "reshape", "softmax", "split", "squeeze", "strip"),
    *("swapaxes", "tanh", "transpose", "tril", "triu", "unsqueeze", "upper", "view"),
    "where",
}


def find_slip(case: Running) -> Explanation | None:
    """The first slip in code that the exercise leads to, behind what it comes to where there is room for both."""
    mismatch, exercise, answer = case.speaking.mismatch, case.exercise.name, case.session.file
    if mismatch and mismatch.rung == "attribute":
        return None  # what a module is made of has nothing to do with what it reads
    for name in sorted(
        answer.names_reached(exercise) & {*answer.definitions}, key=lambda name: (name != exercise, name)
    ):
        cell, _ = answer.definitions[name]
        definition = definition_in(parsed(cell.source), name)
        slips = [*_thrown_away(definition)] if definition else []
        if definition and name == exercise:  # a function of one's own may have an argument for others
            slips += _never_read(definition)
        for line, sentence in slips:
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


def _thrown_away(definition: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(definition):
        if not isinstance(node, ast.Expr):
            continue
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        if call.func.attr in PURE and not any(keyword.arg == "out" for keyword in call.keywords):
            yield node.lineno, f"What `{call.func.attr}` returns is thrown away: it changes nothing in place"


def _never_read(definition: ast.AST) -> Iterator[tuple[int, str]]:
    """(Line in the cell, what is the matter) of every argument."""
    functions = definition.body if isinstance(definition, ast.ClassDef) else [definition]
    for function in (node for node in functions if isinstance(node, ast.FunctionDef)):
        read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        for argument in function.args.args:
            if argument.arg not in {"self", *read} and not argument.arg.startswith("_"):
                yield function.lineno, f"`{function.name}` never reads its argument `{argument.arg}`"
