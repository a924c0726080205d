"""Finds the line of a mistake: the small edit of the learner's own code that makes the whole suite pass.

An edit is tried on the requests up to the first that is wrong, then on all of the suite's, and what is left is judged
in a worker of its own like any answer. Only what passed there is ever said.
"""

import contextlib
import hashlib
import time
from collections.abc import Sequence
from dataclasses import replace

from autograder.boundary import reader
from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import Refused, Session
from autograder.chapters.chapter import Chapter
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.tasks import Task
from autograder.judging.ask.answer import Answer
from autograder.judging.explain.case import Submitted
from autograder.judging.run.batch import Batch, NullSession, Played
from autograder.judging.run.edit_worker import EDITS_PER_MESSAGE, EditWorker, OutOfTime
from autograder.judging.verdict.change import Change
from autograder.judging.verdict.explanation import Explanation, Kind
from autograder.worker.reading.answers import AnswerFile
from autograder.worker.small_edits.answer_edits import AnswerEdit, edits_of_answer

MAX_LINES = 4  # that are still one place to look at


def find_line(case: Submitted) -> Explanation | None:
    """Add to what is known the line where one small change makes every test pass."""
    exercise, task = case.exercise, case.task
    if exercise.seconds is not None:
        return None
    others = {*task.chapter.names} - {exercise.name}
    # The edits are read where the answer was: what was handed in is not parsed here.
    edits_of = edits_of_answer if task.answer.found is None else reader.edits_of
    if not (edits := edits_of(task.answer, exercise.name, others)):
        return None
    deadline = time.monotonic() + case.budget.seconds_left
    worker = EditWorker(task.answer, edits, task.libraries, deadline)
    search = _Search(case, worker)
    try:
        with contextlib.suppress(OutOfTime):
            search.run()
    finally:
        worker.close()
    if change := search.change():
        return replace(case.verdict.explanation or Explanation(Kind.LINE, ""), change=change)
    return None


class _Search:
    """One search: what it asks, and the edits that make the answer right."""

    def __init__(self, case: Submitted, worker: EditWorker) -> None:
        self.case, self.worker = case, worker
        self.batch, self.tests = case.suites.batch_of(case.exercise), case.suites.of(case.exercise.name)
        self.failing = next(at for at, test in enumerate(case.verdict.tests) if test is case.speaking)
        self.repairs: list[AnswerEdit] = []
        self.passes_by_replies: dict[tuple[Batch, bytes], bool] = {}  # a digest of replies -> whether they pass

    def run(self) -> None:
        """Try one edit after the other, until all are tried or there is no time left."""
        count = self._requests_until_failure()
        if count is None:
            return
        beginning = self.batch.test(self.failing, count)
        passing: list[int] = []
        for number, replies in self.worker.replies(range(len(self.worker.edits)), beginning):
            if self._passes(beginning, [self.failing], replies):
                passing.append(number)
            if number % EDITS_PER_MESSAGE == EDITS_PER_MESSAGE - 1:
                self._try_whole(passing)
                passing = []
        self._try_whole(passing)

    def change(self) -> Change | None:
        if not self.repairs or len({repair.cell for repair in self.repairs}) > 1:
            return None
        first = min(repair.edit.line for repair in self.repairs)
        last = max(repair.edit.last_line for repair in self.repairs)
        return Change.of(self.case.task.answer, self.repairs[0], first, last) if last - first < MAX_LINES else None

    def _try_whole(self, numbers: list[int]) -> None:
        """Try these on the whole suite, and judge those that pass like any answer."""
        elsewhere = [number for number in numbers if self._is_elsewhere(number)]
        for number, replies in self.worker.replies(elsewhere, self.batch):
            edit = self.worker.edits[number]
            passes = self._is_elsewhere(number) and self._passes(self.batch, range(len(self.tests)), replies)
            if passes and self._is_right(edit):
                self.repairs.append(edit)

    def _is_elsewhere(self, number: int) -> bool:
        """Whether no repair of the same lines has been found yet."""
        return _lines(self.worker.edits[number]) not in map(_lines, self.repairs)

    def _requests_until_failure(self) -> int | None:
        """After how many requests the unchanged answer fails the test; None where it does not."""
        batch = self.batch.test(self.failing)
        ((_, replies),) = self.worker.replies([-1], batch)
        played = _play(batch, replies)
        return None if played is None or self._run(self.failing, played) else played.used

    def _passes(self, batch: Batch, numbers: Sequence[int], replies: bytes | None) -> bool:
        """Whether no test fails on these replies, as far as they go."""
        if replies is None:
            return False
        key = batch, hashlib.sha256(replies).digest()
        if key not in self.passes_by_replies:
            played = _play(batch, replies)
            self.passes_by_replies[key] = played is not None and all(
                self._run(number, played, at) for at, number in enumerate(numbers)
            )
        return self.passes_by_replies[key]

    def _run(self, number: int, played: Played, at: int = 0) -> bool:
        """Whether a test passes, or asks for more than has been played."""
        played.test, exercise = at, self.case.exercise
        verdict = self.case.suites.run(self.tests[number], Answer.of(exercise, played), exercise)
        return verdict.outcome == "passed" or played.has_strayed

    def _is_right(self, edit: AnswerEdit) -> bool:
        """Whether the answer with this edit passes all that an answer has to pass, in a worker of its own."""
        chapter = self.case.task.chapter
        try:
            session = Session(Task(_with_edit(self.case.task.answer, edit, chapter), chapter, ()))
        except UnreadableAnswer:
            return False
        try:
            session.load_seconds = self.worker.seconds_left
            return self.case.suites.passes(self.case.exercise, session, self.worker.seconds_left)
        except (Refused, WorkerEnded):
            return False
        finally:
            session.close()


def _with_edit(answer: AnswerFile, edit: AnswerEdit, chapter: Chapter) -> AnswerFile:
    """The answer with an edit made, and all that has to be known to judge it."""
    cells = list(answer.cells)
    cells[edit.cell] = cells[edit.cell]._replace(source=edit.edit.apply_to(cells[edit.cell].source))
    edited = AnswerFile(answer.path, tuple(cells), answer.notebook)
    return edited if answer.found is None else reader.examine_answer(edited, chapter)


def _play(batch: Batch, content: bytes | None) -> Played | None:
    """A session that hands these replies out; None where they are no such replies."""
    replies = batch.read(content) if content is not None else None
    values = replies.decode() if replies else None
    return Played(NullSession(), replies, values) if replies and values else None


def _lines(edit: AnswerEdit) -> tuple[int, int, int]:
    return edit.cell, edit.edit.line, edit.edit.last_line
