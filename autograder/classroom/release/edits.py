"""What a teacher changed in a source notebook, kept when the notebook is written anew.

Three notebooks are compared: what the last build wrote (kept in `.built`), what lies in `source` now, and what this
build would write. A change of the teacher's is put into the new one; where the new one has changed in the same cell,
nobody can tell what is meant, and the build refuses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode


MARKS = ("grade", "solution", "locked", "task")


def key_of(cell: NotebookNode) -> str:
    """The name of a cell: nbgrader's, or else its id."""
    return cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id", "")


def points_in(notebook: NotebookNode | None) -> dict[str, float]:
    worth = {key_of(cell): _points(cell) for cell in notebook.cells} if notebook else {}
    return {key: points for key, points in worth.items() if points is not None}


def merged(
    built: NotebookNode, found: NotebookNode, fresh: NotebookNode
) -> tuple[list[NotebookNode], list[str], list[str]]:
    """The fresh notebook's cells with what changed between the built one and the one that was found.

    Gives sentences on what could be kept, and on what could not, because the new text differs there too.
    """
    cells, kept, conflicts = list(fresh.cells), list[str](), list[str]()
    before = {key_of(cell): cell for cell in built.cells}
    now = {key_of(cell): cell for cell in found.cells}
    for key, cell in before.items():
        same, named = _place(cells, cell)
        if key not in now:
            if same is not None:
                del cells[same]
                kept.append(f"removed {key}: {_begin(cell)}")
        elif _content(mine := now[key]) != _content(cell):
            if same is not None:
                cells[same] = _taking(cells[same], mine)
                kept.append(f"changed {key}: {_begin(mine)}")
            elif named is None or _content(cells[named]) != _content(mine):
                conflicts.append(f"{key}{', which is no longer there' * (named is None)}: {_begin(mine)}")
    at = 0  # where a cell of the teacher's own goes: behind the one that it was found behind
    for cell in found.cells:
        if key_of(cell) in before:
            same, named = _place(cells, before[key_of(cell)])
            at = next((place + 1 for place in (same, named) if place is not None), len(cells))
        else:
            cells.insert(at, cell)
            kept.append(f"added {key_of(cell)}: {_begin(cell)}")
            at += 1
    return cells, kept, conflicts


def _content(cell: NotebookNode) -> tuple[str, str, tuple[bool, ...]]:
    """All of a cell that an edit may change, but its points, which go into `course.toml`."""
    marks = cell.metadata.get("nbgrader", {})
    kind = "code" if cell.cell_type == "code" else "markdown"
    return kind, cell.source.strip(), tuple(bool(marks.get(name)) for name in MARKS)


def _points(cell: NotebookNode) -> float | None:
    marks = cell.metadata.get("nbgrader", {})
    return marks.get("points") if marks.get("grade") or marks.get("task") else None


def _place(cells: list[NotebookNode], cell: NotebookNode) -> tuple[int | None, int | None]:
    """Where a cell is among others: the same text first, since names of given cells are their numbers."""
    same = [at for at, other in enumerate(cells) if _content(other) == _content(cell)]
    named = [at for at, other in enumerate(cells) if key_of(other) == key_of(cell)]
    both = [at for at in same if at in named]
    return (both or same or [None])[0], (named or [None])[0]


def _taking(cell: NotebookNode, mine: NotebookNode) -> NotebookNode:
    """A cell with the teacher's text and marks, and its own name and points."""
    new, marks, points = cell.copy(), mine.metadata.get("nbgrader"), _points(cell)
    new.source, new.cell_type, new.metadata = mine.source, mine.cell_type, cell.metadata.copy()
    new.metadata.pop("nbgrader", None)
    if marks:
        new.metadata["nbgrader"] = {**marks, "grade_id": key_of(cell)} | ({} if points is None else {"points": points})
    new.pop("outputs", None)
    new.pop("execution_count", None)
    if new.cell_type == "code":
        new.outputs, new.execution_count = [], None
    return new


def _begin(cell: NotebookNode) -> str:
    """The beginning of a cell, so that its author knows it again."""
    line = next((line.strip() for line in cell.source.splitlines() if line.strip()), "an empty cell")
    return line if len(line) <= 60 else f"{line[:57]}..."
