"""Pairs of similar answers in two columns, with the lines marked on which both have what few others have."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from autograder.boundary.reader import read_shared
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import write_whole, writing
from autograder.classroom.returns.pages import template
from autograder.classroom.returns.report.class_data import Author, ClassData
from autograder.classroom.returns.report.similar import Pair


def write_side_by_side(path: Path, found: list[tuple[ClassData, list[Pair]]]) -> None:
    """Write the page: of each assignment the pairs, most alike first."""
    shown = [(data.assignment, [_both(data, pair) for pair in pairs]) for data, pairs in found]
    with writing(path):
        write_whole(path, template("similar").render(assignments=shown), 0o600)


def _both(data: ClassData, pair: Pair) -> dict[str, Any]:
    exercises = [
        {
            "name": name,
            "pieces": len(shared),
            "columns": [_lines(who, data.exercises[name], name, shared) for who in (pair.one, pair.other)],
        }
        for name, shared in pair.shared.items()
    ]
    return {"pair": pair, "exercises": exercises}


def _lines(author: Author, chapter: str, exercise: str, shared: set[int]) -> list[tuple[str, bool]]:
    """(Line, whether it is marked) of the cell that answers an exercise."""
    with suppress(UnreadableAnswer):
        source, marked = read_shared(author.folder / f"{chapter}.ipynb", exercise, shared)
        return [(line, number in marked) for number, line in enumerate(source.splitlines(), 1)]
    return []
