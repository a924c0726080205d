"""Turns a chapter into an nbgrader source notebook.

Prose and pictures become read-only cells; an exercise becomes a solution cell, with folded hints and a grade cell below
it. The grade cell only runs the docstring's examples: no hidden test is ever in a notebook.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Template
from nbformat import NotebookNode, v4

from autograder.api import Cell, read_cells
from autograder.chapters.chapter import Exercise, is_aside
from autograder.chapters.part import Part
from autograder.chapters.stubs import build_first_cell
from autograder.classroom.course.plan import REFUSE, Addition, Assignment

HOW_TO, CHECK = (Path(__file__).parent / "templates" / name for name in ("how_to.md.j2", "check.py"))
_NO_MARKS = {"solution": False, "grade": False, "locked": False, "task": False}


def source_notebook(name: str, assignment: Assignment | None = None) -> NotebookNode:
    """Return the source notebook of a chapter with its solutions; equal inputs give equal notebooks."""
    assignment = assignment or Assignment(name, (name,))
    part, added = assignment.part(name), assignment.added_to(name)
    first, *others = part.cells
    cells = [_read_only(_kind(first), first.source), *_how_to(part, assignment)]
    for cell in others:
        if is_aside(cell):
            continue
        if exercise := cell.options.get("exercise"):
            cells += _exercise_or_given(part, exercise, assignment)
            cells += [added_cell for addition in added if addition.place == exercise for added_cell in _added(addition)]
        elif cell.kind == "code":
            cells.append(_cell("code", cell.source))  # imports and the like are part of the answer
        else:
            cells.append(_read_only(_kind(cell), cell.source))
    cells += [added_cell for addition in added if addition.place == name for added_cell in _added(addition)]
    for number, cell in enumerate(cells):
        _name(cell, number)
    if not assignment.exam:
        first_code = _marked("code", build_first_cell(assignment.install), "given-first", locked=True)
        cells.insert(2, first_code)  # after the text that mentions it
    cells = [*_words(assignment, name), *cells]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _kind(cell: Cell) -> str:
    return "markdown" if cell.kind == "markdown" else "code"


def _words(assignment: Assignment, chapter: str) -> Iterator[NotebookNode]:
    if assignment.before and chapter == assignment.chapters[0]:
        text = assignment.before.read_text(encoding="utf-8").strip()
        yield _marked("markdown", text, "before", locked=True)


def _how_to(part: Part, assignment: Assignment) -> Iterator[NotebookNode]:
    added = assignment.added_to(part.chapter.name)
    about = {
        "assignment": assignment,
        "refuses": assignment.late == REFUSE,
        "points": sum(map(assignment.points_of, part.exercises)) + sum(addition.points or 0 for addition in added),
        "asked": len(part.exercises),
        "whole": len(part.chapter.exercises),
        "questions": sum(addition.is_question for addition in added),
    }
    template = Template(HOW_TO.read_text(encoding="utf-8"), trim_blocks=True)
    yield _read_only("markdown", template.render(about).strip())
    machinery = _read_only("code", _check(part.chapter.name, assignment.exam))
    machinery.metadata["jupyter"] = {"source_hidden": True}  # folded in JupyterLab
    yield machinery


def _check(chapter: str, exam: bool) -> str:
    """Return the code of `check`, which uses the kit if it is installed, except in exams."""
    code = CHECK.read_text(encoding="utf-8").rstrip().replace("CHAPTER", chapter)
    asks_kit = re.compile(r" +with contextlib.suppress\(ImportError\):.*?graded\(.*?\n", re.DOTALL)
    return asks_kit.sub("", code) if exam else code


def _exercise_or_given(part: Part, name: str, assignment: Assignment) -> Iterator[NotebookNode]:
    exercise = part.chapter.exercise(name)
    if exercise in part.exercises:
        hints = [cell.source for cell in part.cells if cell.options.get("hint") == name and not assignment.exam]
        yield from _exercise(exercise, hints, assignment.points_of(exercise))
    else:
        yield _read_only("markdown", f"**Given: `{name}`.** It is solved here, because later exercises use it.")
        yield _read_only("code", exercise.solution)


def _exercise(exercise: Exercise, hints: list[str], points: float) -> Iterator[NotebookNode]:
    title = f"**Exercise `{exercise.name}`** ({points:g} points)" + (f", {exercise.effort}" if exercise.effort else "")
    yield _read_only("markdown", title)
    yield _marked("code", exercise.source, f"{exercise.name}-answer", solution=True)
    if hints:
        yield _read_only("markdown", "\n\n".join(map(_folded, hints, range(1, len(hints) + 1))))
    yield _marked("code", f"check({exercise.name})", exercise.name, grade=True, locked=True, points=points)


def _added(addition: Addition) -> Iterator[NotebookNode]:
    """Yield the cells of a teacher's addition: a question with its answer, a test, or the file's cells."""
    text = addition.file.read_text(encoding="utf-8")
    if addition.is_question:
        title = f"**Question** ({addition.points:g} points; a person reads your answer)"
        yield _marked("markdown", f"{title}\n\n{text.strip()}", f"{addition.name}-text", locked=True)
        yield _marked(
            "markdown", "*Your answer:*", addition.graded_cell, solution=True, grade=True, points=addition.points
        )
    elif addition.points is not None:
        yield _marked("code", text.strip(), addition.graded_cell, grade=True, locked=True, points=addition.points)
    elif addition.file.suffix == ".md":
        yield _marked("markdown", text.strip(), f"{addition.name}-text", locked=True)
    else:
        for number, cell in enumerate(read_cells(text), start=1):
            if cell.kind == "code":
                yield _cell("code", cell.source, f"{addition.name}-{number}")
            else:
                yield _marked(_kind(cell), cell.source, f"{addition.name}-{number}", locked=True)


def _folded(hint: str, number: int) -> str:
    # Blank lines allow Markdown inside HTML; the style restores the triangle in nbgrader's feedback.
    return f"<details><summary style='display: list-item'>Hint {number}</summary>\n\n{hint}\n\n</details>"


def _read_only(kind: str, source: str) -> NotebookNode:
    return _marked(kind, source, "given", locked=True)


def _marked(kind: str, source: str, grade_id: str, points: float | None = None, **marks: bool) -> NotebookNode:
    cell = _cell(kind, source, "" if grade_id == "given" else grade_id[:64])
    cell.metadata["nbgrader"] = {"schema_version": 3, "grade_id": grade_id, **_NO_MARKS, **marks}
    if points is not None:
        cell.metadata["nbgrader"]["points"] = points
    return cell


def _cell(kind: str, source: str, cell_id: str = "") -> NotebookNode:
    cell = v4.new_code_cell(source) if kind == "code" else v4.new_markdown_cell(source)
    cell.id = cell_id  # `_name` assigns one if it is missing
    return cell


def _name(cell: NotebookNode, number: int) -> None:
    """Name a cell by its position: once answers are graded, nbgrader accepts other texts, but not other names."""
    if "nbgrader" in cell.metadata and not cell.id:
        cell.metadata["nbgrader"]["grade_id"] = f"given-{number:02}"
    cell.id = cell.id or f"{'given' if 'nbgrader' in cell.metadata else 'open'}-{number:02}"
