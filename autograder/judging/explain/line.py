"""Finds the line of a mistake: the small edit of the learner's own code that makes the whole suite pass.

An edit is tried on the requests up to the first that is wrong, then on all of the suite's, and what is left is judged
in a worker of its own like any answer. Only what passed there is ever said.
"""

import contextlib
import hashlib
import time
from dataclasses import replace

from autograder.boundary import reader
from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import Asked, Refused, Session
from autograder.chapters.errors import UnreadableAnswer
from autograder.judging.asking import Answer
from autograder.judging.batch import Played
from autograder.judging.change import Change
from autograder.judging.diagnosis import Evidence
from autograder.judging.explanation import Explanation, Kind
from autograder.judging.trials import AT_ONCE, OutOfTime, Trials
from autograder.worker.reading.answers import AnswerFile
from autograder.worker.reading.examine import Examined
from autograder.worker.small_edits.answers import edits_of_answer

MAX_LINES = 4  # that are still one place to look at


def find_line(evidence: Evidence) -> Explanation | None:
    """Add to what is known the line where one small change makes every test pass."""
    exercise, task, verdict = evidence.exercise, evidence.task, evidence.verdict
    if exercise.seconds is not None:
        return None
    others = {other.name for other in task.chapter.exercises} - {exercise.name}
    if not (edits := _edits(task.answer, exercise.name, others)):
        return None
    deadline = time.monotonic() + evidence.budget.left
    trials = Trials(task.answer, edits, task.chapter.libraries_for(task.answer), deadline)
    search = _Search(verdict, exercise, task, evidence.judge, trials)
    try:
        with contextlib.suppress(OutOfTime):
            search.run()
        change = search.change()
    finally:
        trials.close()
    return change and replace(verdict.explanation or Explanation(Kind.LINE, ""), change=change)


def _edits(answer, name, others):
    """The small edits of an answer, read where the answer was: what was handed in is not parsed here."""
    return (reader.edits_of if isinstance(answer, Examined) else edits_of_answer)(answer, name, others)


def _with_edit(answer, row, chapter):
    """The answer with an edit made, and all that has to be known to judge it."""
    cells = list(answer.cells)
    cells[row.cell] = replace(cells[row.cell], source=row.edit.applied(cells[row.cell].source))
    edited = AnswerFile(answer.path, tuple(cells), answer.notebook)
    return reader.examined(edited, chapter) if isinstance(answer, Examined) else edited


class _Search:
    """One search: what it asks, and the edits that it has found."""

    def __init__(self, verdict, exercise, task, judge, trials):
        self.exercise, self.task, self.judge, self.trials = exercise, task, judge, trials
        self.batch, self.tests = judge.batch_of(exercise), judge.suites.of(exercise.name)
        self.failing = next(at for at, test in enumerate(verdict.tests) if test is verdict.speaking)
        self.repairs, self.known = [], {}  # edits that make it right; replies -> whether they pass

    def run(self):
        """Try one edit after the other, until all are tried or there is no time left."""
        count = self._asked_before_failing()
        if count is None:
            return
        start, rest = self.batch.alone(self.failing, count), []
        for number, replies in self.trials.tried(list(range(len(self.trials.edits))), start):
            if self._passes(start, [self.failing], replies):
                rest.append(number)
            if number % AT_ONCE == AT_ONCE - 1:
                self._try_whole(rest)
                rest = []
        self._try_whole(rest)

    def change(self) -> Change | None:
        """The place that holds all edits that do, where it is small enough to be one."""
        if not self.repairs or len({row.cell for row in self.repairs}) > 1:
            return None
        first = min(row.edit.line for row in self.repairs)
        last = max(row.edit.last_line for row in self.repairs)
        if last - first >= MAX_LINES:
            return None
        return Change.of(self.task.answer, self.repairs[0], first, last)

    def _try_whole(self, numbers):
        """Try these on the whole suite, and judge those that pass like any answer."""
        for number, replies in self.trials.tried([each for each in numbers if self._is_news(each)], self.batch):
            row = self.trials.edits[number]
            if self._is_news(number) and self._passes(self.batch, range(len(self.tests)), replies):
                self.repairs += [row] * self._is_right(row)

    def _is_news(self, number):
        """Whether a change of other lines than these is not known already to do."""
        return all(not _in_same_lines(self.trials.edits[number], row) for row in self.repairs)

    def _asked_before_failing(self):
        """How many requests of the failing test the answer as it is needs to fail; None where it does not."""
        batch = self.batch.alone(self.failing)
        ((_, replies),) = self.trials.tried([-1], batch)
        if (played := _played(batch, replies)) is None or self._run(self.failing, played):
            return None
        return played.used

    def _passes(self, batch, numbers, replies):
        """Whether no test fails on these replies, as far as they go."""
        if replies is None:
            return False
        key = batch, hashlib.sha256(replies).digest()
        if key not in self.known:
            played = _played(batch, replies)
            self.known[key] = played is not None and all(
                self._run(number, played, at) for at, number in enumerate(numbers)
            )
        return self.known[key]

    def _run(self, number, played, at=0):
        """Whether a test passes, or asks for more than has been played."""
        played.test = at
        verdict = self.judge.suites.run(self.tests[number], Answer.of(self.exercise, played), self.exercise)
        return verdict.outcome == "passed" or played.left

    def _is_right(self, row):
        """Whether the answer with this edit passes all that an answer has to pass, in a worker of its own."""
        try:
            session = Session(_with_edit(self.task.answer, row, self.task.chapter), self.task.chapter)
        except UnreadableAnswer:
            return False
        try:
            session.load_seconds = self.trials.left()
            return self.judge.passes(self.exercise, session, self.trials.left())
        except (Refused, WorkerEnded):
            return False
        finally:
            session.close()


class _Nobody(Asked):
    """Nobody to ask: what has not been played is not known."""

    worker = None

    def ask(self, request, seconds, call):
        """`Refused`: the test ends here."""
        raise Refused("fault", "This has not been asked.")


def _played(batch, replies):
    """A session that hands these replies out; None where they are no such replies."""
    read = batch.read(replies) if replies is not None else None
    values = read and read.decode()
    return Played(_Nobody(), read, values) if values else None


def _in_same_lines(one, other):
    lines = ((row.cell, row.edit.line, row.edit.last_line) for row in (one, other))
    return len(set(lines)) == 1
