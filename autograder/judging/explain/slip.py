"""Finds an argument of the exercise that a wrong answer never reads: the text shows it, whatever came back."""

import ast
from collections.abc import Iterator
from dataclasses import replace

from autograder.judging.explain.case import Running
from autograder.judging.verdict.explanation import Explanation, Kind
from autograder.judging.verdict.finding import ROOM
from autograder.worker.reading.definitions import definition_in, parsed


def find_slip(case: Running) -> Explanation | None:
    """The first argument that nobody reads, behind what it comes to where that is known and there is room for both."""
    mismatch, exercise, answer = case.speaking.mismatch, case.exercise.name, case.session.file
    if (mismatch and mismatch.rung == "attribute") or exercise not in answer.definitions:
        return None  # what a module is made of has nothing to do with what it reads
    cell, _ = answer.definitions[exercise]
    definition = definition_in(parsed(cell.source), exercise)
    line, sentence = next(_never_read(definition), (0, "")) if definition else (0, "")
    if not sentence:
        return None
    slip, earlier = f"{sentence} ({cell.place}, line {cell.line + line - 1}).", case.verdict.explanation
    if earlier is None or not earlier.sentence:
        return Explanation(Kind.SLIP, slip)
    whole = f"{earlier.sentence} {slip}"
    room = ROOM - sum(len(part) + 1 for part in case.speaking.shorten(ROOM // 2))
    return replace(earlier, sentence=whole) if len(whole) <= room else None


def _never_read(definition: ast.AST) -> Iterator[tuple[int, str]]:
    """(Line in the cell, what is the matter) of every argument."""
    functions = definition.body if isinstance(definition, ast.ClassDef) else [definition]
    for function in (node for node in functions if isinstance(node, ast.FunctionDef)):
        read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        for argument in function.args.args:
            if argument.arg not in {"self", *read} and not argument.arg.startswith("_"):
                yield function.lineno, f"`{function.name}` never reads its argument `{argument.arg}`"
