"""A verdict as a page of the book shows it: its card, the line to mark, and what is said aloud."""

from collections.abc import Sequence
from typing import Any

from autograder.api import ExerciseVerdict, card, look_of, prose, sentences_of, where_of
from autograder.chapters import curriculum
from autograder.chapters.chapter import Chapter, read_chapter
from autograder.study.cell import AnswerCell


def view_of(verdict: ExerciseVerdict, cell: AnswerCell, glad: Sequence[str]) -> dict[str, Any]:
    """Return a verdict as a page shows it; `glad` is what is said of an exercise that has just been done."""
    hints = read_chapter(verdict.chapter).exercise(verdict.exercise).hints
    said = [f"{verdict.exercise}: {look_of(verdict).word}.", *sentences_of(verdict)[:1], *glad[:1]]
    return {
        "is_right": verdict.outcome == "passed",
        "card": card(verdict, hints, with_points=False, unfolds=False),
        "said": " ".join(said),
        "line": _line(verdict, cell),
        "glad": [prose(sentence) for sentence in glad],
    }


def end_of(chapter: Chapter) -> dict[str, Any]:
    """Return what the page says at the end of a chapter: what is made, and which chapter is next."""
    names = [*curriculum.CHAPTERS]
    following = names[names.index(chapter.name) + 1 :][:1]
    pages = [{"title": read_chapter(name).title, "page": f"{name}.html"} for name in following]
    return {"title": chapter.title, "made": prose(chapter.after(chapter.name)), "next": next(iter(pages), None)}


def _line(verdict: ExerciseVerdict, cell: AnswerCell) -> int | None:
    """The line of the cell to look at, counted from 1; None where it is not known, or is elsewhere in the file."""
    place, line = where_of(verdict) or ("", 0)
    at = line - cell.line + 1
    return at if place == cell.place and 1 <= at <= cell.source.count("\n") + 1 else None
