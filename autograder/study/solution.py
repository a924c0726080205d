"""The solution of an exercise beside the learner's own answer, line by line."""

import datetime
import difflib
from collections.abc import Iterator

from rich.text import Text

from autograder.chapters.chapter import Exercise
from autograder.chapters.text import clean
from autograder.study.folder import Folder
from autograder.study.listing import place_of
from autograder.views.lines import Hanging
from autograder.worker.reading.definitions import docstring_lines

_DIFF = {"-": "red", "+": "green"}


def is_open(folder: Folder, exercise: Exercise) -> bool:
    """Whether the learner may see the solution: after a pass, or once it was given, or they said that they give up."""
    return bool({"passed", "given", "gave_up"} & set(folder.progress.read().get(exercise.name, {})))


def open_undone(folder: Folder, exercise: Exercise) -> None:
    if not is_open(folder, exercise):
        today = datetime.date.today().isoformat()
        folder.progress.change(lambda known: known.setdefault(exercise.name, {}).update(gave_up=today))


def solution_lines(folder: Folder, exercise: Exercise) -> Iterator[str | Hanging]:
    """The change that mends the answer, where one was found; then its lines and the solution's, side by side."""
    if spot := folder.spot(exercise):
        yield f"With one small change in {spot['where']} of yours every test passes:"
        changed = [*_mark_lines("-", spot["was"]), *_mark_lines("+", spot["becomes"])]
        yield from map(_code, changed)
        yield ""
    cell, _ = folder.task(exercise).answer.definitions.get(exercise.name, (None, 0))
    mine = _body_lines(clean(cell.source.expandtabs(4))) if cell else []
    compared = difflib.ndiff(mine, _body_lines(exercise.solution))
    lines = [line.rstrip() for line in compared if not line.startswith("?")]
    yield f"{exercise.name}: - is yours ({place_of(folder, exercise)}), + is the solution"
    yield from map(_code, lines)
    if not any(line[:1] in "+-" for line in lines):
        yield "Yours is the same, line by line."


def _code(line: str) -> Hanging:
    """A line that goes on four columns to the right of where its code begins."""
    return Hanging(Text(line, _DIFF.get(line[:1], "")), len(line) - len(line[1:].lstrip()) + 4)


def _mark_lines(sign: str, lines: str) -> list[str]:
    return [f"{sign} {line}" for line in clean(lines.expandtabs(4)).split("\n")]


def _body_lines(source: str) -> list[str]:
    """The lines of a cell without docstrings, which both have: as they stand where it cannot be parsed."""
    hidden = docstring_lines(source)
    return [line for number, line in enumerate(source.rstrip().splitlines(), start=1) if number not in hidden]
