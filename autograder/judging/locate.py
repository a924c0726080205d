"""Finds the line of a mistake: the small edit of the learner's own code that makes the whole suite pass.

An edit is tried on the requests up to the first that is wrong, then on all of the suite's, and what is left is judged
in a worker of its own like any answer. Only what passed there is ever said.
"""

import contextlib
import time
from dataclasses import dataclass, replace

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import Asked, Refused, Session
from autograder.judging.asking import Answer, Reference
from autograder.judging.batch import Played
from autograder.judging.trials import OutOfTime, Trials
from autograder.judging.trusted import solution_session

SECONDS = 2.0
WIDEST = 4  # lines that are still a place where to look


@dataclass(frozen=True)
class Located:
    """Where one small change makes an answer right.

    Attributes
    ----------
    place : str
        Of the cell, as the learner calls it.
    line, last_line : int
    what : str
        What is to change there, in words.
    was, becomes : str
        The lines as they are, and with the change.
    notebook : bool
        Whether the place is a cell of a notebook.
    """

    place: str
    line: int
    last_line: int
    what: str
    was: str
    becomes: str
    notebook: bool

    @property
    def where(self):
        """The lines, in words: ``line 3 of cell 5``."""
        lines = f"line {self.line}" if self.line == self.last_line else f"lines {self.line} to {self.last_line}"
        return f"{lines} of {self.place}" if self.notebook else lines

    @property
    def hint(self):
        """The next thing to tell, to those who ask."""
        return f"In {self.where}, look at {self.what}."

    @property
    def sentence(self):
        """The first thing to tell."""
        return f"One small change in {self.where} makes every test pass."


def locate(verdict, exercise, task, judge, again, seconds=SECONDS):
    """Where the mistake in a wrong answer is; None where no small edit, or none in one place, makes it right.

    Parameters
    ----------
    verdict : autograder.judging.verdict.ExerciseVerdict
    exercise : autograder.chapters.chapter.Exercise
    task : autograder.chapters.tasks.Task
    judge : autograder.judging.judge.Judge
    again : callable
        Reads what the judge has to know of an answer whose cells have changed; takes and returns an answer.
    seconds : float
        How long it may take.
    """
    search, trials = _Search(verdict, exercise, task, judge, again), None
    with contextlib.suppress(OutOfTime):
        others = [each.name for each in task.chapter.exercises if each.name != exercise.name]
        libraries = task.chapter.libraries_for(task.answer)
        trials = Trials(task.answer, libraries, exercise.name, others, time.monotonic() + seconds)
        try:
            search.run(trials)
        finally:
            trials.close()
    return search.found(trials)


class _Search:
    """One search: what it asks, and the edits that it has found."""

    def __init__(self, verdict, exercise, task, judge, again):
        self.exercise, self.task, self.judge, self.again = exercise, task, judge, again
        self.batch, self.tests = judge.batch_of(exercise), judge.suites.of(exercise.name)
        self.names = [each.name for each in task.chapter.exercises]
        self.failing = next(at for at, test in enumerate(verdict.tests) if test is verdict.speaking)
        self.repairs, self.known = [], {}  # edits that make it right; replies -> whether they pass

    def run(self, trials):
        """Try one edit after the other, until all are tried or there is no time left."""
        ((_, replies),) = trials.tried([-1], self.batch.alone(self.failing))
        count = self._asked_before_failing(replies)
        if count is None:
            return
        start, rest = self.batch.alone(self.failing, count), []
        for number, replies in trials.tried(list(range(len(trials.edits))), start):
            if replies is not None and self._passes(start, [self.failing], replies):
                rest.append(number)
            if rest and (len(rest) > 7 or number % 16 == 15):
                self._try_whole(trials, rest)
                rest = []
        self._try_whole(trials, rest)

    def _try_whole(self, trials, numbers):
        """Try these on the whole suite, and judge those that pass like any answer."""
        for number, replies in trials.tried([each for each in numbers if self._is_news(trials, each)], self.batch):
            passes = replies is not None and self._passes(self.batch, range(len(self.tests)), replies)
            if passes and self._is_news(trials, number) and self._is_right(trials, number):
                self.repairs.append(number)

    def _is_news(self, trials, number):
        """Whether another line is not known already where a change does."""
        at, edit = trials.edits[number]
        found = [(cell, each.line, each.last_line) for cell, each in (trials.edits[each] for each in self.repairs)]
        return (at, edit.line, edit.last_line) not in found

    def _asked_before_failing(self, replies):
        """How many requests of the failing test the answer as it is needs to fail; None where it does not."""
        values = replies and self.batch.alone(self.failing).read(replies)
        values = values and values.decode()
        if not values:
            return None
        played = Played(_Nobody(), self.batch.alone(self.failing).read(replies), values)
        return played.used if not self._run(self.failing, played) else None

    def _passes(self, batch, numbers, replies):
        """Whether no test fails on these replies, as far as they go."""
        read = batch.read(replies)
        key = read and (batch, read.whole)
        if key and key not in self.known:
            values = read.decode()
            played = values and Played(_Nobody(), read, values)
            self.known[key] = bool(values) and all(self._run(number, played, at) for at, number in enumerate(numbers))
        return bool(key) and self.known[key]

    def _run(self, number, played, at=0):
        """Whether a test passes, or asks for more than has been played."""
        played.test = at
        answer = Answer(self.exercise.name, played, self.names)
        reference = Reference(self.exercise.name, solution_session(self.exercise.chapter))
        return self.judge.suites.run(self.tests[number], answer, reference).outcome == "passed" or played.left

    def _is_right(self, trials, number):
        """Whether the answer with this edit passes all that an answer has to pass, in a worker of its own."""
        at, edit = trials.edits[number]
        cells = list(self.task.answer.cells)
        cells[at] = replace(cells[at], source=edit.applied(cells[at].source))
        session = Session(self.again(replace(self.task.answer, cells=tuple(cells))), self.task.chapter)
        try:
            session.load_seconds = trials.left()
            return self.judge.passes(self.exercise, session, trials.left())
        except (Refused, WorkerEnded):
            return False
        finally:
            session.close()

    def found(self, trials):
        """The place that holds all edits that do, where it is small enough to be one."""
        found = [trials.edits[number] for number in self.repairs]
        if not found or len({at for at, _ in found}) > 1:
            return None
        first, last = min(edit.line for _, edit in found), max(edit.last_line for _, edit in found)
        if last - first >= WIDEST:
            return None
        at, edit = found[0]
        cell = self.task.answer.cells[at]
        was, becomes = (_lines(text, edit) for text in (cell.source, edit.applied(cell.source)))
        place, before = cell.place, cell.line - 1
        notebook = self.task.answer.notebook
        return Located(place, first + before, last + before, edit.what, was, becomes, notebook)


class _Nobody(Asked):
    """Nobody to ask: what has not been played is not known."""

    worker = None

    def ask(self, request, seconds, call):
        """`Refused`: the test ends here."""
        raise Refused("fault", "This has not been asked.")


def _lines(text, edit):
    """The lines of a text that an edit is about, as many as it has there."""
    lines = text.split("\n")
    count = edit.last_line - edit.line + 1 + edit.new.count("\n")
    return "\n".join(lines[edit.line - 1 : edit.line - 1 + count])
