"""Writes a misconception out as an answer that stands alone: the exercise, and what it needs of its chapter."""

import ast

from autograder.chapters import curriculum
from autograder.chapters.answers import script_answer
from autograder.chapters.chapter import Exercise, without_markers
from autograder.judging.mistakes.edits import StaleEdit, mistaken
from autograder.worker.reading.answers import AnswerFile, CodeCell
from autograder.worker.reading.definitions import definitions, docstring_lines
from autograder.worker.reading.reach import statements_of

_IMPORTS = (ast.Import, ast.ImportFrom)
_OWN = "exercise"  # its place; cells of the chapter have a number


def answer_with(exercise: Exercise, misconception: str) -> str | None:
    """The source of such an answer, or None where the mistake needs more than the exercise and its chapter."""
    try:
        own = CodeCell(_OWN, 1, mistaken(exercise, misconception))
    except StaleEdit:
        return None
    statements = ast.parse(own.source).body
    imported = [node for node in statements if isinstance(node, _IMPORTS)]
    behind_imports = max((node.end_lineno for node in imported), default=0)
    if not all(isinstance(node, (*_IMPORTS, ast.FunctionDef, ast.ClassDef)) for node in statements):
        return None
    cells = {cell.place: cell for cell in (*_others(exercise), own)}
    reached = statements_of(AnswerFile("", tuple(cells.values()))).reachable_from(exercise.name)
    needed = sorted((int(place), node.lineno, node) for place, node in reached if place.isdecimal())
    imported += [node for *_, node in needed if isinstance(node, _IMPORTS)]
    imports = dict.fromkeys(map(ast.unparse, imported))
    parts = [_text(cells[str(place)], node) for place, _, node in needed if not isinstance(node, _IMPORTS)]
    parts.append("\n".join(own.source.splitlines()[behind_imports:]).strip("\n"))
    return "\n\n\n".join([*(["\n".join(imports)] if imports else []), *parts]) + "\n"


def _text(cell: CodeCell, node: ast.stmt) -> str:
    """A statement of a cell, without docstrings: they say what the chapter has said already."""
    lines, described = cell.source.splitlines(), docstring_lines(cell.source)
    return "\n".join(lines[n - 1] for n in range(node.lineno, node.end_lineno + 1) if n not in described)


def _others(exercise: Exercise) -> list[CodeCell]:
    """The code of the chapter around the exercise."""
    path = curriculum.solution_of(exercise.chapter)
    chapter = script_answer(str(path), path.read_text(encoding="utf-8")).cells
    others = [without_markers(cell.source) for cell in chapter if exercise.name not in definitions(cell.source)]
    return [CodeCell(str(number), 1, source) for number, source in enumerate(others)]
