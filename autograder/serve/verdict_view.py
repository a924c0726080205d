"""A verdict for a page of the book: its card, the line to mark, and the text for screen readers."""

from collections.abc import Sequence
from typing import Any

from autograder.api import ExerciseVerdict, card, find_place, look_of, sentences_of, to_html
from autograder.chapters import curriculum
from autograder.chapters.chapter import Chapter, read_chapter
from autograder.study.cell import AnswerCell


def view_of(verdict: ExerciseVerdict, cell: AnswerCell, glad: Sequence[str]) -> dict[str, Any]:
    """Return a verdict as a page shows it; `glad` are the sentences for an exercise that is newly done."""
    hints = read_chapter(verdict.chapter).exercise(verdict.exercise).hints
    said = [f"{verdict.exercise}: {look_of(verdict).word}.", *sentences_of(verdict)[:1], *glad[:1]]
    return {
        "is_right": verdict.outcome == "passed",
        "card": card(verdict, hints, with_points=False, unfolds=False),
        "said": " ".join(said),
        "line": _line(verdict, cell),
        "glad": [to_html(sentence) for sentence in glad],
    }


def end_of(chapter: Chapter) -> dict[str, Any]:
    """Return the end of a chapter's page: what was made, and which chapter is next."""
    names = [*curriculum.CHAPTERS]
    following = names[names.index(chapter.name) + 1 :][:1]
    pages = [{"title": read_chapter(name).title, "page": f"{name}.html"} for name in following]
    made = to_html(chapter.afterword_of(chapter.name))
    return {"title": chapter.title, "made": made, "next": next(iter(pages), None)}


def _line(verdict: ExerciseVerdict, cell: AnswerCell) -> int | None:
    """Return the line of the cell to look at, from 1; None if it is unknown or outside the cell."""
    place, line = find_place(verdict) or ("", 0)
    at = line - cell.line + 1
    return at if place == cell.place and 1 <= at <= cell.source.count("\n") + 1 else None
