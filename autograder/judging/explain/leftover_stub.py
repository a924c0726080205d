"""Finds the stub's own line in an answer that is written: it raises still, whatever stands around it."""

import ast
import contextlib
from collections.abc import Iterator

from autograder.chapters.chapter import STUB, Exercise
from autograder.worker.reading.answers import AnswerFile


def leftover_line(answer: AnswerFile, exercise: Exercise) -> tuple[str, int] | None:
    """The place and line of `raise NotImplementedError` beside code of the learner's."""
    cell, _ = answer.definitions.get(exercise.name, (None, 0))
    if cell is None:
        return None
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        stubs = {ast.dump(statement) for _, statements in _stubs(exercise.stub) for statement in statements}
        for line, statements in _stubs(cell.source):
            if any(ast.dump(statement) not in stubs for statement in statements):
                return cell.place, cell.line + line - 1
    return None


def _stubs(source: str) -> Iterator[tuple[int, list[ast.stmt]]]:
    """The line of the stub's `raise`, and the other statements, of each function that holds one in its body."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef):
            continue
        lines = [statement.lineno for statement in node.body if _is_stub(statement)]
        if lines:
            text = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
            yield lines[0], [statement for statement in node.body[text:] if not _is_stub(statement)]


def _is_stub(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Raise) and ast.unparse(statement).removesuffix("()") == STUB[1]
