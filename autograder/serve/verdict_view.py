"""A verdict as a page of the book shows it: its card, the line to mark, and what is said aloud."""

from collections.abc import Sequence
from typing import Any

from autograder.chapters.chapter import Exercise
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.study.cell import AnswerCell
from autograder.views.card import card, prose
from autograder.views.looks import look_of
from autograder.views.words import sentences_of, where_of


def view_of(verdict: ExerciseVerdict, cell: AnswerCell, glad: Sequence[str], ahead: Exercise | None) -> dict[str, Any]:
    """`glad`: what is said of an exercise that has just been done. `ahead`: where to go on."""
    said = [f"{verdict.exercise}: {look_of(verdict).word}.", *sentences_of(verdict)[:1], *glad[:1]]
    return {
        "is_right": verdict.outcome == "passed",
        "card": card(verdict),
        "said": " ".join(said),
        "line": _line(verdict, cell),
        "glad": [prose(sentence) for sentence in glad],
        "next": ahead and {"name": ahead.name, "page": f"{ahead.chapter}.html#{ahead.name}"},
    }


def _line(verdict: ExerciseVerdict, cell: AnswerCell) -> int | None:
    """The line of the cell to look at, counted from 1; None where it is not known, or is elsewhere in the file."""
    place, line = where_of(verdict) or ("", 0)
    at = line - cell.line + 1
    return at if place == cell.place and 1 <= at <= cell.source.count("\n") + 1 else None
