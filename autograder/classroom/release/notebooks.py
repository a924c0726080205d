"""Creation of nbgrader's source notebook from a chapter.

Prose and pictures become read-only cells. An exercise becomes a solution cell, followed by folded hints and a grade
cell. The grade cell only runs the examples of the docstring, so that no notebook contains hidden tests.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Template
from nbformat import NotebookNode, v4

from autograder.api import read_cells
from autograder.chapters.chapter import is_aside
from autograder.chapters.part import ChapterPart
from autograder.chapters.stubs import build_first_cell
from autograder.classroom.course.plan import REFUSE, AddedCells, Assignment

HOW_TO, CHECK = (Path(__file__).parent / "templates" / name for name in ("how_to.md.j2", "check.py"))
_NO_MARKS = {"solution": False, "grade": False, "locked": False, "task": False}


def build_source_notebook(name: str, assignment: Assignment | None = None) -> NotebookNode:
    """Return a chapter's source notebook, with solutions. The output is deterministic."""
    assignment = assignment or Assignment(name, (name,))
    part, added = assignment.build_part(name), assignment.find_additions(name)
    title_cell, *other_cells = part.cells
    cells = [_make_given_cell(title_cell.kind, title_cell.source), *_make_instructions(part, assignment)]
    for cell in other_cells:
        if is_aside(cell):
            continue
        if exercise := cell.options.get("exercise"):
            cells += _make_exercise(part, exercise, assignment)
            cells += [cell for addition in added if addition.place == exercise for cell in _make_addition(addition)]
        elif cell.kind == "code":
            # Cells with imports and helpers are part of the answer.
            cells.append(_make_cell("code", cell.source))
        else:
            cells.append(_make_given_cell(cell.kind, cell.source))
    cells += [cell for addition in added if addition.place == name for cell in _make_addition(addition)]
    for number, cell in enumerate(cells):
        _set_cell_name(cell, number)
    if not assignment.exam:
        cells.insert(2, _make_nb_cell("code", build_first_cell(assignment.install), "given-first", locked=True))
    if assignment.before and name == assignment.chapters[0]:
        text = assignment.before.read_text(encoding="utf-8").strip()
        cells.insert(0, _make_nb_cell("markdown", text, "before", locked=True))
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _make_instructions(part: ChapterPart, assignment: Assignment) -> Iterator[NotebookNode]:
    added = assignment.find_additions(part.chapter.name)
    variables = {
        "assignment": assignment,
        "refuses": assignment.late == REFUSE,
        "points": sum(map(assignment.points_of, part.exercises)) + sum(addition.points or 0 for addition in added),
        "asked": len(part.exercises),
        "whole": len(part.chapter.exercises),
        "questions": sum(addition.is_question for addition in added),
    }
    template = Template(HOW_TO.read_text(encoding="utf-8"), trim_blocks=True)
    yield _make_given_cell("markdown", template.render(variables).strip())
    machinery = _make_given_cell("code", _make_check(part.chapter.name, assignment.exam))
    machinery.metadata["jupyter"] = {"source_hidden": True}  # JupyterLab folds this cell.
    yield machinery


def _make_check(chapter: str, exam: bool) -> str:
    """Return the code that defines `check` in a notebook. It uses the kit if that is installed, but never in exams."""
    code = CHECK.read_text(encoding="utf-8").rstrip().replace("CHAPTER", chapter)
    asks_kit = re.compile(r" +with contextlib.suppress\(ImportError\):.*?graded\(.*?\n", re.DOTALL)
    return asks_kit.sub("", code) if exam else code


def _make_exercise(part: ChapterPart, name: str, assignment: Assignment) -> Iterator[NotebookNode]:
    """Yield the cells of an exercise, or its solution if the exercise is not part of the assignment."""
    exercise = part.chapter.get_exercise(name)
    if exercise not in part.exercises:
        yield _make_given_cell("markdown", f"**Given: `{name}`.** It is solved here, because later exercises use it.")
        yield _make_given_cell("code", exercise.solution)
        return
    hints = [cell.source for cell in part.cells if cell.options.get("hint") == name and not assignment.exam]
    points = assignment.points_of(exercise)
    title = f"**Exercise `{exercise.name}`** ({points:g} points)" + (f", {exercise.effort}" if exercise.effort else "")
    yield _make_given_cell("markdown", title)
    yield _make_nb_cell("code", exercise.source, f"{exercise.name}-answer", solution=True)
    if hints:
        # Blank lines enable Markdown inside HTML. The style restores the triangle that unfolds a hint in feedback.
        fold = "<details><summary style='display: list-item'>Hint {}</summary>\n\n{}\n\n</details>".format
        yield _make_given_cell("markdown", "\n\n".join(map(fold, range(1, len(hints) + 1), hints)))
    yield _make_nb_cell("code", f"check({exercise.name})", exercise.name, grade=True, locked=True, points=points)


def _make_addition(addition: AddedCells) -> Iterator[NotebookNode]:
    """Yield the cells of a teacher's addition: a question and its answer cell, a test, or the cells of a file."""
    text = addition.file.read_text(encoding="utf-8")
    if addition.is_question:
        title = f"**Question** ({addition.points:g} points; a person reads your answer)"
        yield _make_nb_cell("markdown", f"{title}\n\n{text.strip()}", f"{addition.name}-text", locked=True)
        marks = {"solution": True, "grade": True}
        yield _make_nb_cell("markdown", "*Your answer:*", addition.graded_cell, points=addition.points, **marks)
    elif addition.points is not None:
        yield _make_nb_cell("code", text.strip(), addition.graded_cell, grade=True, locked=True, points=addition.points)
    elif addition.file.suffix == ".md":
        yield _make_nb_cell("markdown", text.strip(), f"{addition.name}-text", locked=True)
    else:
        for number, cell in enumerate(read_cells(text), start=1):
            if cell.kind == "code":
                yield _make_cell("code", cell.source, f"{addition.name}-{number}")
            else:
                yield _make_nb_cell(cell.kind, cell.source, f"{addition.name}-{number}", locked=True)


def _make_given_cell(kind: str, source: str) -> NotebookNode:
    return _make_nb_cell(kind, source, "given", locked=True)


def _make_nb_cell(kind: str, source: str, grade_id: str, points: float | None = None, **marks: bool) -> NotebookNode:
    cell = _make_cell(kind, source, "" if grade_id == "given" else grade_id[:64])
    cell.metadata["nbgrader"] = {"schema_version": 3, "grade_id": grade_id, **_NO_MARKS, **marks}
    if points is not None:
        cell.metadata["nbgrader"]["points"] = points
    return cell


def _make_cell(kind: str, source: str, cell_id: str = "") -> NotebookNode:
    """Return a new cell. Every kind of chapter cell except for Markdown becomes a code cell."""
    cell = v4.new_markdown_cell(source) if kind == "markdown" else v4.new_code_cell(source)
    cell.id = cell_id
    return cell


def _set_cell_name(cell: NotebookNode, number: int) -> None:
    """Name a given cell after its position, so that names stay: once answers are graded, nbgrader accepts no others."""
    if "nbgrader" in cell.metadata and not cell.id:
        cell.metadata["nbgrader"]["grade_id"] = f"given-{number:02}"
    cell.id = cell.id or f"{'given' if 'nbgrader' in cell.metadata else 'open'}-{number:02}"
