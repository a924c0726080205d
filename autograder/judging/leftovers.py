"""Finds the stub's own line in an answer that is written: it raises still, whatever stands around it."""

import ast
import contextlib

from autograder.chapters.chapter import STUB


def leftover_line(answer, exercise):
    """The place of `raise NotImplementedError` beside code of the learner's, as (place, line), or None.

    Parameters
    ----------
    answer : autograder.chapters.answers.AnswerFile
    exercise : autograder.chapters.chapter.Exercise
    """
    cell, _ = answer.definitions.get(exercise.name, (None, 0))
    if cell is None:
        return None
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        given = {ast.dump(statement) for _, _, others in _stubs(exercise.stub) for statement in others}
        for _, line, others in _stubs(cell.source):
            if any(ast.dump(statement) not in given for statement in others):
                return cell.place, cell.line + line - 1
    return None


def _stubs(source):
    """(function, line of the stub's `raise`, its other statements) of each function that holds one in its body."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef):
            continue
        lines = [each.lineno for each in node.body if _is_stub(each)]
        if lines:
            text = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
            yield node, lines[0], [each for each in node.body[text:] if not _is_stub(each)]


def _is_stub(statement):
    return isinstance(statement, ast.Raise) and ast.unparse(statement).removesuffix("()") == STUB[1]
