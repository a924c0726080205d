"""Grades many answers into a record: a map over an executor that loses nothing and repeats nothing."""

import functools
import os
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from autograder.boundary import sandbox
from autograder.boundary.reader import examined, read_handed_in
from autograder.chapters.errors import MissingExtra, UnreadableAnswer
from autograder.chapters.extras import require_libraries
from autograder.chapters.selection import chapter_of, known_chapter
from autograder.chapters.tasks import Task
from autograder.grading.one import Grader
from autograder.grading.pieces import grade_pieces
from autograder.grading.record import Record, answer_key, record_line
from autograder.worker.reading.answers import AnswerFile

_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class Piece:
    """One answer to grade, as it travels to whoever does it."""

    answer: AnswerFile
    chapter: str
    unreadable: str = ""  # why it could not be read; empty where it could

    @property
    def path(self):
        return self.answer.path


@dataclass
class Outcome:
    """What a run came to, with what the record held already."""

    outcomes: Counter = field(default_factory=Counter)  # of exercises
    unreadable: list = field(default_factory=list)


def grade_piece(piece, secret, locates=False):
    """The record line of one answer. Runs in whatever process an executor chooses."""
    with _ONE_AT_A_TIME:  # a zygote serves one thread
        chapter = known_chapter(piece.chapter)
        task = Task(piece.answer, chapter, chapter.exercises)
        verdicts = list(Grader.of(chapter.name, secret).grade(task, locates=locates))
    if piece.unreadable:
        verdicts = [verdict.not_read(f"{piece.unreadable}.") for verdict in verdicts]
    key = answer_key(piece.answer, chapter, secret)
    return record_line(piece.answer.path, chapter, verdicts, key, sandbox.name())


def read_piece(path, chapter_name=None):
    """The answer in a file, also where it cannot be read.

    Raises
    ------
    UnreadableAnswer
        Where no chapter is named, and neither the file's name nor what it defines tells which it answers.
    """
    answer, names, chapter = AnswerFile(str(path), ()), (), chapter_name
    try:
        answer, names = read_handed_in(path)
        chapter = chapter or chapter_of(path, names).name
        return Piece(examined(answer, known_chapter(chapter)), chapter)
    except UnreadableAnswer as error:
        chapter = chapter or chapter_of(path, names).name
        return Piece(AnswerFile(str(path), ()), chapter, str(error))


def grade_answers(paths, chapter_name, record_path, secret, make_executor, console, known=None, locates=False):
    """Grade every answer that the record does not hold yet and add each at once.

    Parameters
    ----------
    paths : list of pathlib.Path
        One named twice counts once.
    chapter_name : str or None
        None where each file tells its own.
    record_path : pathlib.Path
        The JSON-lines file; made where it does not exist.
    secret : bytes
    make_executor : callable
        Gives a fresh executor of `autograder.grading.executors`; called again where one breaks.
    console : rich.console.Console
        For the progress bar, where it is a terminal.
    known : dict, optional
        More answers that need no grading, as from `Record.held`.
    locates : bool
        Whether the lines of mistakes are looked for.

    Returns
    -------
    Outcome

    Raises
    ------
    UnreadableAnswer, MissingExtra
        Where a file does not exist, or the chapter named needs a library that is missing; nothing is graded then.
    RecordError
    KitFault
        Where an answer, or many in a row, could not be graded. All others are in the record.
    """
    paths, outcome = _existing(paths), Outcome()
    if chapter_name:
        require_libraries(known_chapter(chapter_name))
    with Record(record_path) as record, progress_bar(console, "grading", len(paths)) as advance:

        def finished(line):
            record.append(line)
            outcome.outcomes.update(exercise["outcome"] for exercise in line["exercises"])
            advance()

        held = (known or {}) | record.held()
        pieces = _pieces(paths, chapter_name, secret, held, outcome, advance)
        grade_pieces(pieces, functools.partial(grade_piece, secret=secret, locates=locates), make_executor, finished)
    return outcome


def _existing(paths):
    paths = list(dict.fromkeys(paths))
    if missing := next((path for path in paths if not os.path.lexists(path)), None):
        raise UnreadableAnswer(f"{missing} does not exist: nothing has been graded")
    return paths


def _pieces(paths, chapter_name, secret, held, outcome, advance):
    """What is left to grade, read one by one as it is asked for; all else goes into the outcome."""
    for path in paths:
        try:
            piece = read_piece(path, chapter_name)
            require_libraries(known_chapter(piece.chapter), f"{path}: {piece.chapter}")
        except (UnreadableAnswer, MissingExtra) as error:
            outcome.unreadable.append(str(error))
            advance()
            continue
        outcome.unreadable += [piece.unreadable] * bool(piece.unreadable)
        outcomes = held.get((str(path), answer_key(piece.answer, known_chapter(piece.chapter), secret)))
        if outcomes is None:
            yield piece
        else:
            outcome.outcomes.update(outcomes)
            advance()


@contextmanager
def progress_bar(console, what, total):
    """A bar with rate and time left, where the console is a terminal; gives the function that advances it."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not (console.is_terminal and total)) as progress:
        bar = progress.add_task(what, total=total, rate="")

        def advance(count=1):
            progress.advance(bar, count)
            if speed := progress.tasks[bar].finished_speed or progress.tasks[bar].speed:
                progress.update(bar, rate=f"{speed:.0f} a second" if speed >= 2 else f"{60 * speed:.0f} a minute")

        yield advance
