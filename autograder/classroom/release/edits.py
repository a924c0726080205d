"""What a teacher changed in a source notebook, kept when the notebook is written anew.

Three notebooks are compared: what the last build wrote (kept in `.built`), what lies in `source` now, and what this
build would write. A change of the teacher's is put into the new one; where the new one has changed in the same cell,
nobody can tell what is meant, and the build refuses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode


MARKS = ("grade", "solution", "locked", "task")


@dataclass
class Merged:
    """A notebook with a teacher's changes in it."""

    cells: list[NotebookNode]
    # what was changed by the teacher, and could be kept; what could not, because the new text differs there too
    kept: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)


def key_of(cell: NotebookNode) -> str:
    """The name of a cell: nbgrader's, or else its id."""
    return cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id", "")


def points_in(notebook: NotebookNode) -> dict[str, float]:
    """Points by cell."""
    worth = {key_of(cell): _points(cell) for cell in notebook.cells}
    return {key: points for key, points in worth.items() if points is not None}


def merged(built: NotebookNode, found: NotebookNode, fresh: NotebookNode) -> Merged:
    """The fresh notebook's cells with what changed between the built one and the one that was found.

    `built`, `found`, `fresh`: what the last build wrote, what lies there now, what this build would write.
    """
    result, before = Merged(list(fresh.cells)), {key_of(cell): cell for cell in built.cells}
    now = {key_of(cell): cell for cell in found.cells}
    for key, cell in before.items():
        if key not in now:
            _remove(result, cell)
        elif _content(now[key]) != _content(cell):
            _replace(result, cell, now[key])
    anchor = None
    for cell in found.cells:
        if key_of(cell) in before:
            anchor = before[key_of(cell)]
        else:
            _insert(result, anchor, cell)
            anchor = cell
    return result


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


def _replace(result: Merged, before: NotebookNode, now: NotebookNode) -> None:
    same, named = _place(result.cells, before)
    if same is not None:
        new = result.cells[same].copy()
        new.source, new.cell_type = now.source, now.cell_type
        _take_marks(new, now)
        result.cells[same] = new
        result.kept.append(f"changed {key_of(now)}: {_begin(now)}")
    elif named is not None and _content(result.cells[named]) != _content(now):
        result.conflicts.append(f"{key_of(before)}: {_begin(now)}")
    elif named is None:
        result.conflicts.append(f"{key_of(before)}, which is no longer there: {_begin(now)}")


def _take_marks(new: NotebookNode, now: NotebookNode) -> None:
    marks = now.metadata.get("nbgrader")
    points = _points(new)
    new.metadata = new.metadata.copy()
    if marks:
        new.metadata["nbgrader"] = {**marks, "grade_id": key_of(new)} | ({} if points is None else {"points": points})
    else:
        new.metadata.pop("nbgrader", None)
    if new.cell_type == "code":
        new.outputs, new.execution_count = [], None
    else:
        new.pop("outputs", None)
        new.pop("execution_count", None)


def _remove(result: Merged, before: NotebookNode) -> None:
    same, _ = _place(result.cells, before)
    if same is not None:
        del result.cells[same]
        result.kept.append(f"removed {key_of(before)}: {_begin(before)}")


def _insert(result: Merged, anchor: NotebookNode | None, cell: NotebookNode) -> None:
    same, named = (None, None) if anchor is None else _place(result.cells, anchor)
    at = same if same is not None else named
    at = -1 if anchor is None else len(result.cells) - 1 if at is None else at
    result.cells.insert(at + 1, cell)
    result.kept.append(f"added {key_of(cell)}: {_begin(cell)}")


def _begin(cell: NotebookNode) -> str:
    """The beginning of a cell, so that its author knows it again."""
    line = next((line.strip() for line in cell.source.splitlines() if line.strip()), "an empty cell")
    return line if len(line) <= 60 else f"{line[:57]}..."
