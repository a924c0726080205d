"""Repairs submitted notebooks before nbgrader's own steps see them."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from nbformat import NotebookNode

from autograder.api import UNREADABLE
from autograder.classroom.gradebook.queries import Given, Released

_JOINER = "\N{WORD JOINER}"
REPLACED = "attn_replaced"  # cell metadata: what a learner wrote instead of the given source


def notebook_of(cells: Iterable[tuple[str, dict, str]], why: str) -> NotebookNode:
    """Return a notebook (version 4.5) of cells from `read_notebook`; an empty one says why."""
    notebook_cells = [
        cell_of(kind, source, f"cell-{number}", {"nbgrader": marks} if marks else {})
        for number, (kind, marks, source) in enumerate(cells, start=1)
    ]
    metadata = NotebookNode({UNREADABLE: why} if why else {})
    return NotebookNode(cells=notebook_cells, metadata=metadata, nbformat=4, nbformat_minor=5)


def cell_of(kind: str, source: str, cell_id: str, metadata: dict[str, Any]) -> NotebookNode:
    cell = NotebookNode(cell_type=kind, id=cell_id, metadata=NotebookNode(metadata), source=source)
    if "nbgrader" in cell.metadata:
        cell.metadata.nbgrader = NotebookNode(cell.metadata.nbgrader)
    return _as(kind, cell)


def _as(kind: str, cell: NotebookNode) -> NotebookNode:
    cell.cell_type = kind
    cell.pop("outputs", None)
    cell.pop("execution_count", None)
    if kind == "code":
        cell.update(outputs=[], execution_count=None)
    return cell


def restored(cells: list[NotebookNode], released: Released) -> list[NotebookNode]:
    """Return the cells with one marked cell for each name, because nbgrader gives no score if one is missing."""
    given_cells, solutions = released.given, released.solutions
    copies, dropped = _copies(cells, released), set()
    for name, candidates in copies.items():
        # Among copies, choose an answer that was edited, and a given cell that was not.
        fitting = [cell for cell in candidates if (cell.source != given_cells[name].source) == (name in solutions)]
        chosen = (fitting or candidates)[-1]
        chosen.metadata["nbgrader"] = _marks(given_cells[name], released)
        if given_cells[name].locked:
            if chosen.cell_type == given_cells[name].cell_type == "code" and chosen.source != given_cells[name].source:
                chosen.metadata[REPLACED] = chosen.source
            chosen.source = given_cells[name].source
        if (given_cells[name].cell_type == "code") != (chosen.cell_type == "code"):
            _as("code" if given_cells[name].cell_type == "code" else "markdown", chosen)
        # An untouched copy of a given cell is dropped; every other copy stays as an ordinary cell.
        dropped |= {id(c) for c in candidates if c is not chosen and c in fitting and name not in solutions}
    remaining = [cell for cell in cells if id(cell) not in dropped]
    for name in released.points:
        if name not in copies:
            marks = {"nbgrader": _marks(given_cells[name], released)}
            remaining.append(cell_of(given_cells[name].cell_type, given_cells[name].source, f"back-{name}"[:64], marks))
    for cell in remaining:
        if cell.cell_type == "markdown" and "nbgrader" not in cell.metadata:
            cell.source = _as_text(cell.source)
        elif cell.cell_type == "markdown" and cell.metadata.nbgrader["solution"]:
            cell.source = _without_html(cell.source)
    return remaining


def _copies(cells: Iterable[NotebookNode], released: Released) -> dict[str, list[NotebookNode]]:
    given_cells, copies = released.given, defaultdict(list)
    name_of_text = {cell.source.strip(): name for name, cell in given_cells.items() if cell.locked}
    for cell in cells:
        marks = cell.metadata.pop("nbgrader", {})
        name = name_of_text.get(cell.source.strip(), marks.get("grade_id"))
        # An answer may have become Markdown; a given cell never changes its type.
        if name in given_cells and (name in released.solutions or cell.cell_type == given_cells[name].cell_type):
            copies[name].append(cell)
    return copies


def _as_text(prose: str) -> str:
    """Return prose in a code block, because Markdown may contain scripts that would run as the teacher."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", prose)), default=0))
    return f"{fence}text\n{prose}\n{fence}"


def _without_html(prose: str) -> str:
    """Return a written answer as Markdown without tags and links: formulas and lists stay, code cannot run."""
    # A sign that is not seen keeps a browser from taking it for a tag, and shows what was written.
    return re.sub(r"\](?=[(:\[])", f"]{_JOINER}", re.sub("<(?=[A-Za-z/!?])", f"<{_JOINER}", prose))


def _marks(cell: Given, released: Released) -> NotebookNode:
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
