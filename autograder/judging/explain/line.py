"""Search for the line of a mistake. It is found if a small edit of the learner's code makes the whole suite pass.

Each edit is tried on the requests up to the first wrong result, then on all requests. If it passes, the edited answer
is judged in a separate worker, like any answer. Only edits that pass there are reported.
"""

import contextlib
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import AnswerRefused, AnswerSession, Session
from autograder.judging.ask.answer import Answer
from autograder.judging.budget import BudgetExhausted
from autograder.judging.explain.case import CaseWithTask
from autograder.judging.run.batch import Batch, ReplayedSession
from autograder.judging.run.variant import Variant
from autograder.judging.verdict.finding import Explanation, Kind, SuggestedChange
from autograder.worker.small_edits import AnswerEdit, find_edits_of_answer

EDIT_SECONDS = 0.25  # limit for trying one edit
EDITS_PER_MESSAGE = 16
AS_IT_IS = -1  # used in place of an edit's number for the unchanged answer
MAX_LINES = 4  # successful edits that span at most this many lines are reported as one place


def find_mistaken_line(case: CaseWithTask) -> Explanation | None:
    """Return the earlier or a new explanation with an edit that makes every test pass, or None if no edit does."""
    exercise, task = case.exercise, case.task
    if exercise.seconds is not None or task.answer.findings is not None:  # Submitted answers are never parsed here.
        return None
    if not (edits := find_edits_of_answer(task.answer, exercise.name, {*task.chapter.names} - {exercise.name})):
        return None
    search = _EditSearch(case, edits)
    try:
        with contextlib.suppress(BudgetExhausted, AnswerRefused):
            search.run()
    finally:
        search.session.close()
    if change := search.combine_repairs():
        return replace(case.verdict.explanation or Explanation(Kind.LINE, ""), change=change)
    return None


class _EditSearch:
    """A search for edits that make the answer correct. `repairs` are those found so far."""

    def __init__(self, case: CaseWithTask, edits: list[AnswerEdit]) -> None:
        self.case, self.edits = case, edits
        self.session = Session(case.task)  # Hundreds of edits share this worker.
        self.batch, self.tests = case.suites.get_batch(case.exercise), case.suites.get_tests(case.exercise.name)
        self.failing = next(number for number, test in enumerate(case.verdict.tests) if test is case.shown_test)
        self.repairs: list[AnswerEdit] = []
        self.passes_by_replies: dict[tuple[Batch, bytes], bool] = {}  # hash of replies -> whether the tests pass

    def run(self) -> None:
        """Try all edits. Raises `BudgetExhausted` if the time budget runs out."""
        count = self._count_requests_until_failure()
        if count is None:
            return
        beginning = self.batch.select_test(self.failing, count)
        passing: list[int] = []
        for number, replies in self._play_edits(range(len(self.edits)), beginning):
            if self._passes(beginning, [self.failing], replies):
                passing.append(number)
            if number % EDITS_PER_MESSAGE == EDITS_PER_MESSAGE - 1:
                self._try_whole_suite(passing)
                passing = []
        self._try_whole_suite(passing)

    def combine_repairs(self) -> SuggestedChange | None:
        if not self.repairs or len({repair.cell for repair in self.repairs}) > 1:
            return None
        first = min(repair.edit.line for repair in self.repairs)
        last = max(repair.edit.last_line for repair in self.repairs)
        if last - first >= MAX_LINES:
            return None
        return SuggestedChange.from_edit(self.case.task.answer, self.repairs[0], first, last)

    def _try_whole_suite(self, numbers: list[int]) -> None:
        """Try these edits on the whole suite, and add those that make the answer pass to `repairs`."""
        remaining_numbers = [number for number in numbers if self._edits_other_lines(number)]
        for number, replies in self._play_edits(remaining_numbers, self.batch):
            edit = self.edits[number]
            passes = self._edits_other_lines(number) and self._passes(self.batch, range(len(self.tests)), replies)
            if passes and self._passes_as_answer(edit):
                self.repairs.append(edit)

    def _edits_other_lines(self, number: int) -> bool:
        """Return whether no edit in `repairs` changes the same lines as this one."""
        return _get_edited_lines(self.edits[number]) not in map(_get_edited_lines, self.repairs)

    def _count_requests_until_failure(self) -> int | None:
        """Return the number of requests after which the unchanged answer fails the shown test, or None if it passes."""
        batch = self.batch.select_test(self.failing)
        ((_, replies),) = self._play_edits([AS_IT_IS], batch)
        replay = _replay(batch, replies)
        return None if replay is None or self._passes_test(self.failing, replay) else replay.used

    def _passes(self, batch: Batch, numbers: Sequence[int], replies: bytes | None) -> bool:
        """Return whether the tests with these numbers pass with the replies, which may end before a test does."""
        if replies is None:
            return False
        key = batch, hashlib.sha256(replies).digest()
        if key not in self.passes_by_replies:
            replay = _replay(batch, replies)
            self.passes_by_replies[key] = replay is not None and all(
                self._passes_test(number, replay, position) for position, number in enumerate(numbers)
            )
        return self.passes_by_replies[key]

    def _passes_test(self, number: int, replay: ReplayedSession, position: int = 0) -> bool:
        """Return whether a test passes, or reaches the end of the replies without failing."""
        replay.test, exercise = position, self.case.exercise
        verdict = self.case.suites.run_test(self.tests[number], Answer.for_exercise(exercise, replay), exercise)
        return verdict.outcome == "passed" or replay.has_left_batch

    def _play_edits(self, numbers: Sequence[int], batch: Batch) -> Iterator[tuple[int, bytes | None]]:
        """Yield each edit's number with the worker's replies, or with None if the edit failed or ended the worker."""
        for start in range(0, len(numbers), EDITS_PER_MESSAGE):
            yield from self._play_message(numbers[start : start + EDITS_PER_MESSAGE], batch)

    def _play_message(self, numbers: Sequence[int], batch: Batch) -> Iterator[tuple[int, bytes | None]]:
        """Play several edits in one message, or one by one if an edit ended the worker. Yields like `_play_edits`."""
        definitions = [self._edit_definition(number) for number in numbers]
        try:
            with self.case.budget.charge_elapsed_time(self.session) as seconds:
                replies = self.session.play_edits(definitions, min(EDIT_SECONDS, seconds), seconds, batch)
        except WorkerEnded:
            if len(numbers) > 1:
                for number in numbers:
                    yield from self._play_message([number], batch)
                return
            replies = [None]
        yield from zip(numbers, replies, strict=True)

    def _edit_definition(self, number: int) -> tuple[str, str]:
        """Return the name and the new text of the definition that an edit changes."""
        if number == AS_IT_IS:
            return self.case.exercise.name, ""
        index, name, start, end, edit = self.edits[number]
        return name, edit.apply_to(self.case.task.answer.cells[index].source[:end])[start:]

    def _passes_as_answer(self, edit: AnswerEdit) -> bool:
        """Return whether the edited answer passes the suite in a separate worker, with all bans."""
        variant = Variant.with_edit(self.case.task, edit)
        return variant.passes(self.case.exercise, self.case.suites, self.case.budget)


def _replay(batch: Batch, content: bytes | None) -> ReplayedSession | None:
    """Return a session that replays these encoded replies, or None if they are malformed."""
    replies = batch.parse_replies(content) if content is not None else None
    values = replies.decode() if replies else None
    return ReplayedSession(AnswerSession(), replies, values) if replies and values else None


def _get_edited_lines(edit: AnswerEdit) -> tuple[int, int, int]:
    return edit.cell, edit.edit.line, edit.edit.last_line
