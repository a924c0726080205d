"""Functions that grade many answers. The JSON line of an answer is written as soon as it has been graded."""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import MofNCompleteColumn, Progress

from autograder.boundary import sandbox
from autograder.boundary.reader import read_submission, read_submitted_answer
from autograder.chapters import curriculum
from autograder.chapters.answers import Task, find_chapter
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import MissingExtra, UnreadableAnswer, sentence_of
from autograder.chapters.extras import require_libraries
from autograder.chapters.text import clean
from autograder.grading.executors import grade_pieces
from autograder.grading.record import RecordLine, make_record
from autograder.judging.grader import Grader
from autograder.worker.reading.answers import AnswerFile

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.chapters.chapter import Chapter


UNREADABLE = "unreadable"  # temporary key of a record line, with the reason why the file could not be read


@dataclass(frozen=True)
class FileToGrade:
    """A file to read and grade. It can be sent to another process."""

    path: str
    chapter: str | None  # None if the file's name or its definitions tell the chapter

    def read(self) -> tuple[AnswerFile, Chapter, str]:
        """Return the answer, its chapter, and an empty string or the reason why it could not be read."""
        name = self.chapter or Path(self.path).stem
        chapter = read_chapter(name) if name in curriculum.CHAPTERS else None
        try:
            content = read_submission(self.path)
            chapter = chapter or self._guess_chapter(content)
            return read_submitted_answer(self.path, content, chapter), chapter, ""
        except UnreadableAnswer as error:
            if chapter is None:
                raise
            return AnswerFile(self.path, ()), chapter, str(error)

    def _guess_chapter(self, content: bytes) -> Chapter:
        """Return the chapter of most exercises that the file defines."""
        chapters = [read_chapter(name) for name in curriculum.CHAPTERS]
        names = read_submitted_answer(self.path, content, chapters[0]).definitions.keys()
        best = max(chapters, key=lambda chapter: len(names & {*chapter.names}))
        if names.isdisjoint(best.names):
            advice = "name it after its chapter, or add --chapter NAME"
            raise UnreadableAnswer(f"{clean(self.path)} defines no exercise: {advice}")
        return best


@dataclass
class GradingSummary:
    outcomes: Counter[str] = field(default_factory=Counter)  # outcome -> number of exercises
    unreadable: list[str] = field(default_factory=list)  # sentences about unreadable files
    failed: dict[str, str] = field(default_factory=dict)  # path -> the grader's failure


def grade_piece(piece: FileToGrade, secret: bytes) -> dict[str, Any]:
    """Grade one answer and return its record line. The key `UNREADABLE` has the reason if it could not be read."""
    try:
        answer, chapter, reason = piece.read()
        require_libraries(chapter.libraries, f"{piece.path}: {chapter.name}")
    except (UnreadableAnswer, MissingExtra) as error:  # Without a chapter, the line will not be written.
        return {"answer": piece.path, "exercises": [], UNREADABLE: str(error)}
    task = Task(answer, chapter, chapter.exercises)
    verdicts = list(Grader.for_chapter(chapter.name, secret).grade(task))
    if reason:
        verdicts = [verdict.mark_unread(f"{reason}.") for verdict in verdicts]
    return {**make_record(piece.path, chapter, verdicts, sandbox.get_name()), UNREADABLE: reason}


@dataclass(frozen=True)
class GradingSettings:
    secret: bytes
    make_executor: Callable  # returns a new executor; called again if an executor breaks
    console: Console  # shows a progress bar if it is a terminal


def grade_answers(
    paths: list[Path], chapter_name: str | None, settings: GradingSettings, write: Callable[[RecordLine], None]
) -> GradingSummary:
    """Grade all answers, call `write` with each record line as soon as it is complete, and return a summary."""
    paths, outcome = list(dict.fromkeys(paths)), GradingSummary()
    if missing := next((path for path in paths if not os.path.lexists(path)), None):
        raise UnreadableAnswer(f"{missing} does not exist: nothing has been graded")
    if chapter_name:
        require_libraries(find_chapter(chapter_name).libraries, chapter_name)
    unreadable: dict[str, str] = {}  # path -> reason
    with show_progress(settings.console, "grading", len(paths)) as advance:

        def handle_finished(line: Any) -> None:
            if reason := line.pop(UNREADABLE):
                unreadable[line["answer"]] = reason
            if "chapter" in line:
                write(line)
            outcome.outcomes.update(exercise["outcome"] for exercise in line["exercises"])
            advance()

        work = functools.partial(grade_piece, secret=settings.secret)
        pieces = (FileToGrade(str(path), chapter_name) for path in paths)
        failures = grade_pieces(pieces, work, settings.make_executor, handle_finished)
    outcome.failed = {piece.path: sentence_of(failure) for piece, failure in failures}
    outcome.unreadable = [unreadable[str(path)] for path in paths if str(path) in unreadable]
    return outcome


@contextmanager
def show_progress(console: Console, description: str, total: int) -> Iterator[Callable[..., None]]:
    columns, is_shown = (*Progress.get_default_columns(), MofNCompleteColumn()), console.is_terminal and total
    with Progress(*columns, console=console, disable=not is_shown) as progress:
        yield functools.partial(progress.advance, progress.add_task(description, total=total))
