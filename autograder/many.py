"""Grades many answers to one chapter into a record: a map over an executor that loses nothing and repeats nothing."""

import functools
import threading
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, wait
from dataclasses import dataclass, field

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from autograder import sandbox
from autograder.answer_file import AnswerFile, read_answer
from autograder.errors import KitFault, UnreadableAnswer
from autograder.grading import Grader, Task
from autograder.process import zygote_for
from autograder.record import Record, answer_key, record_line
from autograder.selection import known_chapter
from autograder.verdict import ExerciseVerdict, TestVerdict

WAITING = 4  # answers handed out for each job: enough to keep it busy, few to do again if it dies
TRIES = 2  # a fault of ours in one answer may be the machine's: it is tried once more, elsewhere
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class Piece:
    """One answer to grade, as it travels to whoever does it."""

    answer: AnswerFile
    chapter: str
    unreadable: str = ""  # why it could not be read; empty where it could


@dataclass
class Outcome:
    """What a run came to."""

    outcomes: Counter = field(default_factory=Counter)  # of exercises
    unreadable: list = field(default_factory=list)
    skipped: int = 0


def grade_piece(piece, secret):
    """The record line of one answer. Runs in whatever process an executor chooses."""
    with _ONE_AT_A_TIME:  # a zygote serves one thread
        chapter = known_chapter(piece.chapter)
        task, verdicts = Task(piece.answer, chapter, chapter.exercises), []
        _grader(piece.chapter, secret).grade(task, lambda task, verdict, session: verdicts.append(verdict))
    if piece.unreadable:
        verdicts = [_not_read(verdict, piece.unreadable) for verdict in verdicts]
    key = answer_key(piece.answer, chapter, secret)
    return record_line(piece.answer.path, chapter, verdicts, key, sandbox.name())


@functools.lru_cache(maxsize=8)
def _grader(chapter_name, secret):
    chapter = known_chapter(chapter_name)
    zygote_for(chapter.libraries)  # starts while the suites are collected
    return Grader(chapter.exercises, secret)


def pieces_to_grade(paths, chapter_name, done, secret):
    """What is not done yet, read one by one as it is asked for; None for each answer that is."""
    chapter = known_chapter(chapter_name)
    for path in paths:
        reason = ""
        try:
            answer = read_answer(path)
        except UnreadableAnswer as error:
            answer, reason = AnswerFile(str(path), ()), str(error)
        is_done = (str(path), answer_key(answer, chapter, secret)) in done
        yield None if is_done else Piece(answer, chapter_name, reason)


def grade_answers(paths, chapter_name, record_path, secret, make_executor, jobs, console, known=frozenset()):
    """Grade every answer that the record does not hold yet and add each at once.

    Parameters
    ----------
    paths : list of pathlib.Path
    chapter_name : str
    record_path : pathlib.Path
        The JSON-lines file; made where it does not exist.
    secret : bytes
    make_executor : callable
        Gives a fresh executor; called again where one breaks.
    jobs : int
        How many answers it works on at a time.
    console : rich.console.Console
        For the progress bar, where it is a terminal.
    known : set of (str, str)
        Answers and keys that need no grading, besides those in the record.

    Returns
    -------
    Outcome
    """
    if missing := next((path for path in paths if not path.exists()), None):
        raise UnreadableAnswer(f"{missing} does not exist: nothing has been graded")
    outcome = Outcome()
    with Record(record_path) as record, _progress(console) as progress:
        bar = progress.add_task("grading", total=len(paths), rate="")

        def finished(line):
            record.append(line)
            outcome.outcomes.update(exercise["outcome"] for exercise in line["exercises"])
            progress.advance(bar)
            if speed := progress.tasks[bar].finished_speed or progress.tasks[bar].speed:
                progress.update(bar, rate=f"{speed:.0f} a second" if speed >= 2 else f"{60 * speed:.0f} a minute")

        def pieces():
            for piece in pieces_to_grade(paths, chapter_name, record.keys() | known, secret):
                if piece is None:
                    outcome.skipped += 1
                    progress.advance(bar)
                else:
                    outcome.unreadable += [piece.unreadable] * bool(piece.unreadable)
                    yield piece

        _map(pieces(), secret, make_executor, jobs * WAITING, finished)
    return outcome


def _map(pieces, secret, make_executor, window, finished):
    """Grade the pieces through an executor, at most `window` at a time, in whatever order they get done."""
    executor, running, waiting, tries = make_executor(), {}, [], Counter()
    try:
        while True:
            while len(running) < window and (piece := waiting.pop() if waiting else next(pieces, None)):
                tries[piece.answer.path] += 1
                try:
                    running[executor.submit(grade_piece, piece, secret)] = piece
                except BrokenExecutor:
                    tries[piece.answer.path] -= 1
                    waiting.append(piece)
                    break
            if not running and not waiting:
                return
            done = wait(running, return_when=FIRST_COMPLETED).done if running else ()
            broken = not running
            for future in [future for future in running if future in done]:  # in the order of the paths, if it may be
                piece = running.pop(future)
                line, is_broken = _result(future)
                broken |= is_broken
                if line is not None and (not _has_fault(line) or tries[piece.answer.path] >= TRIES):
                    del tries[piece.answer.path]
                    finished(line)
                elif tries[piece.answer.path] >= TRIES:
                    raise KitFault(f"{piece.answer.path} could not be graded: {future.exception()}")
                else:
                    waiting.append(piece)
            if broken:
                waiting += running.values()
                for piece in running.values():
                    tries[piece.answer.path] -= 1  # it went down with another one
                running.clear()
                executor.shutdown(wait=False, cancel_futures=True)
                executor = make_executor()
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _result(future):
    """The line, or None; and whether the executor is broken."""
    try:
        return future.result(), False
    except (BrokenExecutor, CancelledError):
        return None, True
    except Exception:
        return None, False


def _has_fault(line):
    return any(exercise["outcome"] == "fault" for exercise in line["exercises"])


def _progress(console):
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, disable=not console.is_terminal)


def _not_read(verdict, sentence):
    tests = [TestVerdict(test.name, "raised", 0, test.max_points, f"{sentence}.") for test in verdict.tests]
    return ExerciseVerdict(verdict.chapter, verdict.exercise, tests, verdict.seconds)
