"""Repair of submitted notebooks. Given cells get their released source, and each graded cell occurs exactly once."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from nbformat import NotebookNode, from_dict

from autograder.api import UNREADABLE
from autograder.classroom.gradebook.queries import ReleasedNotebook, SourceCell

_JOINER = "\N{WORD JOINER}"
# Key in the metadata of a given cell, for the text with which a learner replaced its source.
REPLACED = "attn_replaced"


def make_notebook(cells: Iterable[tuple[str, dict, str]], problem: str) -> NotebookNode:
    """Return a notebook (version 4.5) with cells as `read_notebook` returns them. Its metadata contains `problem`."""
    notebook_cells = [
        make_cell(kind, source, f"cell-{number}", {"nbgrader": marks} if marks else {})
        for number, (kind, marks, source) in enumerate(cells, start=1)
    ]
    metadata = NotebookNode({UNREADABLE: problem} if problem else {})
    return NotebookNode(cells=notebook_cells, metadata=metadata, nbformat=4, nbformat_minor=5)


def make_cell(kind: str, source: str, cell_id: str, metadata: dict[str, Any]) -> NotebookNode:
    return _set_cell_type(NotebookNode(id=cell_id, metadata=from_dict(metadata), source=source), kind)


def _set_cell_type(cell: NotebookNode, kind: str) -> NotebookNode:
    cell.cell_type = kind
    cell.pop("outputs", None)
    cell.pop("execution_count", None)
    if kind == "code":
        cell.update(outputs=[], execution_count=None)
    return cell


def restore_cells(cells: list[NotebookNode], released: ReleasedNotebook) -> list[NotebookNode]:
    """Return the repaired cells, with each graded cell exactly once: nbgrader gives no score for a missing one."""
    given_cells, solutions = released.cells, released.solutions
    copies, dropped_copies = _find_copies(cells, released), set()
    for name, candidates in copies.items():
        # Among copies of an answer cell, choose an edited one. Among copies of a given cell, choose an unchanged one.
        fitting = [cell for cell in candidates if (cell.source != given_cells[name].source) == (name in solutions)]
        copy = (fitting or candidates)[-1]
        given_cell = given_cells[name]
        copy.metadata["nbgrader"] = _make_marks(given_cell, released)
        if given_cell.locked:
            if copy.cell_type == given_cell.cell_type == "code" and copy.source != given_cell.source:
                copy.metadata[REPLACED] = copy.source
            copy.source = given_cell.source
        if (given_cell.cell_type == "code") != (copy.cell_type == "code"):
            _set_cell_type(copy, "code" if given_cell.cell_type == "code" else "markdown")
        # Drop unchanged copies of a given cell. All other copies stay as ordinary cells.
        dropped_copies |= {id(c) for c in candidates if c is not copy and c in fitting and name not in solutions}
    remaining = [cell for cell in cells if id(cell) not in dropped_copies]
    for name in released.points:
        if name not in copies:
            given_cell = given_cells[name]
            marks = {"nbgrader": _make_marks(given_cell, released)}
            remaining.append(make_cell(given_cell.cell_type, given_cell.source, f"back-{name}"[:64], marks))
    for cell in remaining:
        if cell.cell_type == "markdown" and "nbgrader" not in cell.metadata:
            cell.source = _fence(cell.source)
        elif cell.cell_type == "markdown" and cell.metadata.nbgrader["solution"]:
            cell.source = _disarm_html(cell.source)
    return remaining


def _find_copies(cells: Iterable[NotebookNode], released: ReleasedNotebook) -> dict[str, list[NotebookNode]]:
    """Return name of a released cell -> submitted cells that may be copies of it."""
    given_cells, copies = released.cells, defaultdict(list)
    name_of_text = {cell.source.strip(): name for name, cell in given_cells.items() if cell.locked}
    for cell in cells:
        marks = cell.metadata.pop("nbgrader", {})
        name = name_of_text.get(cell.source.strip(), marks.get("grade_id"))
        # A learner may change the type of an answer cell to Markdown, but not that of a given cell.
        if name in given_cells and (name in released.solutions or cell.cell_type == given_cells[name].cell_type):
            copies[name].append(cell)
    return copies


def _fence(prose: str) -> str:
    """Return prose inside a code block, because scripts in Markdown would run in the teacher's browser."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", prose)), default=0))
    return f"{fence}text\n{prose}\n{fence}"


def _disarm_html(prose: str) -> str:
    """Return Markdown with an invisible character in tags and links, so that they are plain text and no script runs."""
    return re.sub(r"\](?=[(:\[])", f"]{_JOINER}", re.sub("<(?=[A-Za-z/!?])", f"<{_JOINER}", prose))


def _make_marks(cell: SourceCell, released: ReleasedNotebook) -> NotebookNode:
    """Return nbgrader's metadata of a released cell."""
    points = released.points
    marks = {
        "schema_version": 3,
        "grade_id": cell.name,
        "grade": cell.name in points and cell.name not in released.tasks,
        "solution": cell.name in released.solutions,
        "locked": cell.locked,
        "task": cell.name in released.tasks,
        "cell_type": cell.cell_type,
        "checksum": cell.checksum,
    }
    return NotebookNode(marks | ({"points": points[cell.name]} if cell.name in points else {}))
