"""What a teacher changed in a source notebook, kept when the notebook is written anew.

Three notebooks are compared: what the last build wrote (kept in `.built`), what lies in `source` now, and what this
build would write. Where the last two differ from the first in other cells, the teacher's notebook is taken with the
new cells in it; where they meet nobody can tell what is meant, and the build refuses.
"""

from typing import Any

from nbformat import NotebookNode

MARKS = ("grade", "solution", "locked", "task", "points")


def name_of(cell: NotebookNode) -> str:
    """nbgrader's name of a cell, or else its id."""
    return cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id", "")


def points_in(notebook: NotebookNode | None) -> dict[str, float]:
    marked = {name_of(cell): cell.metadata.get("nbgrader", {}) for cell in notebook.cells} if notebook else {}
    return {name: marks["points"] for name, marks in marked.items() if "points" in marks}


def changed_names(before: NotebookNode, now: NotebookNode) -> list[str]:
    """Names of the cells that are in one of two notebooks alone, or other ones there."""
    old, new = _contents(before), _contents(now)
    return [name for name in old | new if old.get(name) != new.get(name)]


def merge(built: NotebookNode, edited: NotebookNode, fresh: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """The notebook that was found with what is new since the built one; names of the cells where that cannot be."""
    changed, renewed = changed_names(built, edited), changed_names(built, fresh)
    mine, new = _contents(edited), _contents(fresh)
    if list(new) == list(_contents(built)):  # else nothing tells which is which: names of given cells are numbers
        changed = [name for name in changed if name in renewed]
    cells = {name_of(cell): cell for cell in fresh.cells if name_of(cell) in renewed}
    whole: Any = fresh.copy()
    whole.cells = [cells.get(name_of(cell), cell) for cell in edited.cells]
    return whole, [name for name in changed if mine.get(name) != new.get(name)]


def _contents(notebook: NotebookNode) -> dict[str, tuple[object, ...]]:
    """All of each cell that an edit may change, by its name."""
    contents: dict[str, tuple[object, ...]] = {}
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        kind = "code" if cell.cell_type == "code" else "markdown"
        contents[name_of(cell)] = kind, cell.source.strip(), *(marks.get(mark) or None for mark in MARKS)
    return contents
