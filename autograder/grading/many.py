"""Grades many answers into a record: a map over an executor that loses nothing and repeats nothing."""

import functools
import threading
from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, wait
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from autograder.boundary import sandbox
from autograder.chapters.answers import AnswerFile, read_answer
from autograder.chapters.errors import KitFault, UnreadableAnswer
from autograder.chapters.selection import chapter_of, known_chapter
from autograder.chapters.tasks import Task
from autograder.grading.one import Grader
from autograder.grading.record import Record, answer_key, has_fault, record_line

IN_A_ROW = 8  # so many failures with no answer graded in between are not one answer's: the run ends
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


def grade_piece(piece, secret):
    """The record line of one answer. Runs in whatever process an executor chooses."""
    with _ONE_AT_A_TIME:  # a zygote serves one thread
        chapter = known_chapter(piece.chapter)
        verdicts = list(Grader.of(chapter.name, secret).grade(Task(piece.answer, chapter, chapter.exercises)))
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
    try:
        answer, problem = read_answer(path), ""
    except UnreadableAnswer as error:
        answer, problem = AnswerFile(str(path), ()), str(error)
    return Piece(answer, chapter_name or chapter_of(answer).name, problem)


def grade_answers(paths, chapter_name, record_path, secret, make_executor, console, known=None):
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

    Returns
    -------
    Outcome

    Raises
    ------
    UnreadableAnswer
        Where a file does not exist; nothing is graded then.
    RecordError
    KitFault
        Where an answer, or many in a row, could not be graded. All others are in the record.
    """
    paths = list(dict.fromkeys(paths))
    if missing := next((path for path in paths if not path.exists()), None):
        raise UnreadableAnswer(f"{missing} does not exist: nothing has been graded")
    outcome = Outcome()
    if chapter_name:
        known_chapter(chapter_name)
    with Record(record_path) as record, progress_bar(console, "grading", len(paths)) as advance:

        def finished(line):
            record.append(line)
            outcome.outcomes.update(exercise["outcome"] for exercise in line["exercises"])
            advance()

        def pieces():  # read one by one, as they are asked for
            held = (known or {}) | record.held()
            for path in paths:
                try:
                    piece = read_piece(path, chapter_name)
                except UnreadableAnswer as error:
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

        grade_pieces(pieces(), functools.partial(grade_piece, secret=secret), make_executor, finished)
    return outcome


def grade_pieces(pieces, work, make_executor, finished):
    """Grade the pieces in whatever order they get done. One that failed is tried once more when all others are done.

    An executor that breaks takes all that it works on with it, whichever answer it was: nobody has failed then.

    Parameters
    ----------
    pieces : iterator
        Each with a ``path`` of its own.
    work : callable
        Gives the record line of a piece, in whatever process an executor chooses.
    make_executor : callable
        Gives a fresh executor of `autograder.grading.executors`; called again where one breaks.
    finished : callable
        Called here with every line.

    Raises
    ------
    KitFault
        Where a piece, or many in a row, could not be graded; all others are finished.
    """
    executor, running, later, tried, failed, in_a_row, why = make_executor(), {}, deque(), set(), [], 0, None
    try:
        while True:
            broken = None
            try:
                while len(running) < executor.window and (piece := next(pieces, None) or (later and later.popleft())):
                    running[executor.submit(work, piece)] = piece
            except BrokenExecutor as error:
                later.append(piece)
                broken = why = error
            if not running and not broken:
                break
            done = wait(running, return_when=FIRST_COMPLETED).done if running else ()
            for future in [future for future in running if future in done]:  # in the order of the paths, if it may be
                piece = running.pop(future)
                is_last_try = piece.path in tried
                line, failure = _result(future)
                why = failure or why
                if isinstance(failure, (BrokenExecutor, CancelledError)):
                    broken = failure
                    later.append(piece)
                elif line and (is_last_try or not has_fault(line)):
                    in_a_row = 0
                    finished(line)
                elif is_last_try:
                    in_a_row += 1
                    failed.append((piece.path, failure))
                else:
                    in_a_row += failure is not None
                    tried.add(piece.path)
                    later.append(piece)
            if broken:
                in_a_row += 1
                later.extend(running.values())
                running.clear()
                executor.shutdown()
            if in_a_row > IN_A_ROW:
                raise KitFault(f"nothing can be graded: {_told(why)}. What is done is in the record")
            if broken:
                executor = make_executor()
    finally:
        executor.shutdown(cancel_futures=True)
    if failed:
        path, failure = failed[0]
        others = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        raise KitFault(f"{path}{others} could not be graded: {_told(failure)}. All others are in the record")


def _result(future):
    """The line, or None and why there is none."""
    try:
        return future.result(), None
    except Exception as error:
        return None, error


def _told(error):
    return str(error) if isinstance(error, KitFault) else f"{type(error).__name__}: {error}".rstrip(": .")


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
