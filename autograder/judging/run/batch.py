"""Batches: all requests of a suite, sent in one message.

A `Batch` is recorded while the suite judges the solution. A worker plays the batch: it handles all requests and sends
all replies in one message. Then the suite runs with a `ReplayedSession`, which returns these replies one by one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.boundary.forms import is_reply
from autograder.boundary.session import AnswerSession
from autograder.judging.ask.call import Call
from autograder.worker.wire import WireError, decode_message, encode, split_messages

Refs = Sequence[int | None]  # the ID by which the worker refers to each step's result; None if there is no result


@dataclass(frozen=True)
class BatchStep:
    """One request. `subject` is the number of the step that created the called object; None for the exercise."""

    kind: str
    subject: int | None
    method: str
    rest: tuple
    inputs: bytes

    def build_target(self, name: str, refs: Refs) -> object:
        if self.subject is None:
            return name
        return [refs[self.subject], self.method] if self.method else refs[self.subject]


class Batch:
    """The requests of a suite, as a list of steps for each test. `message` is sent to a worker to play them."""

    def __init__(self, name: str, tests: list[list[BatchStep]]) -> None:
        self.name, self.tests = name, tests
        self.rows = [[s.kind, s.subject, s.method, *s.rest] for test in tests for s in test]
        self.steps = [step for test in tests for step in test]
        self.message = encode(["play", name, self.rows])

    def select_test(self, number: int, count: int | None = None) -> Batch:
        """Return a batch with the first `count` steps of one test, or with all its steps."""
        earlier_steps = sum(map(len, self.tests[:number]))
        steps = self.tests[number][:count]
        subjects = [None if step.subject is None else step.subject - earlier_steps for step in steps]
        return Batch(self.name, [[replace(step, subject=at) for step, at in zip(steps, subjects, strict=True)]])

    def parse_replies(self, content: bytes) -> BatchReplies | None:
        """Return a worker's replies, or None if they do not fit this batch."""
        try:
            messages = split_messages(content)
            return BatchReplies(self, messages) if len(messages) == len(self.steps) + 1 else None
        except WireError:
            return None


class BatchReplies:
    """A worker's encoded replies to a batch. Replies with an equal `key` (a hash) get equal verdicts."""

    def __init__(self, batch: Batch, messages: list[bytes]) -> None:
        self.batch, self.messages = batch, messages
        # Each message begins with its length, so two different lists never have the same concatenation.
        self.key = batch.name, hashlib.sha256(b"".join(messages)).digest()

    def decode(self) -> list[dict | None] | None:
        """Return the decoded replies, or None if one is malformed. Only an answer that forges replies causes that."""
        try:
            *values, trails = map(decode_message, self.messages)
            for number, path in trails:
                values[number]["error"]["where"] = path
        except (WireError, ValueError, KeyError, TypeError, IndexError):
            return None
        steps = zip(self.batch.steps, values, strict=True)
        are_replies = all(value is None or is_reply(value, [step.kind, None, *step.rest]) for step, value in steps)
        return values if are_replies else None


class RecordingSession(AnswerSession):
    """A session that records all requests and passes them on to another session."""

    def __init__(self, session: AnswerSession) -> None:
        self.session, self._count = session, 0
        self.tests: list[list[BatchStep]] = []
        self._step_numbers: dict[int | None, int] = {}  # id of a result -> number of the step that returned it

    def restart(self) -> None:
        self.session.restart()
        self.tests.append([])
        self._step_numbers = {}

    def ask(self, request: list, seconds: float, call: Call) -> dict:
        reply = self.session.ask(request, seconds, call)
        kind, target, *rest = request
        number, method = target if isinstance(target, list) else (target, "")
        subject = None if isinstance(target, str) else self._step_numbers[number]
        self.tests[-1].append(BatchStep(kind, subject, method, tuple(rest), b"" if kind == "again" else call.inputs))
        self._step_numbers.setdefault(reply.get("ref"), self._count)
        self._count += 1
        return reply


class ReplayedSession(AnswerSession):
    """A session that returns the recorded replies to one test after another. Set `test` before calling `restart`."""

    def __init__(self, session: AnswerSession, replies: BatchReplies, values: list[dict | None]) -> None:
        self.session, self.replies, self.values = session, replies, values
        # Whether the current test made a request that was not recorded, so that the answer's worker had to reply.
        self.has_left_batch = False
        self.has_ever_left_batch = False  # whether any test did so
        self.batch, self.file, self.waited = replies.batch, session.file, session.waited
        self._worker, self._refs = session.worker, [value.get("ref") if value else None for value in values]
        self._number = 0
        self._expected: list[BatchStep] = []

    @property
    def used(self) -> int:
        return len(self.batch.tests[self.test]) - len(self._expected)

    def restart(self) -> None:
        """Begin a new test. If the worker that played the batch has ended, send the test's requests to a new one."""
        self._number = sum(map(len, self.batch.tests[: self.test]))
        self.has_left_batch = self.session.worker is not self._worker
        self.has_ever_left_batch |= self.has_left_batch
        self._expected = [] if self.has_left_batch else list(self.batch.tests[self.test])

    def start_afresh(self) -> None:
        self._expected.clear()
        self.has_left_batch = self.has_ever_left_batch = True
        self.session.start_afresh()

    def ask(self, request: list, seconds: float, call: Call) -> dict:
        """Return the recorded reply, or send the request if it differs from the recorded one."""
        if self._expected:
            step, value = self._expected.pop(0), self.values[self._number]
            self._number += 1
            inputs = b"" if request[0] == "again" else call.inputs
            expected = [step.kind, step.build_target(self.batch.name, self._refs)]
            if value is not None and request[:2] == expected and inputs == step.inputs:
                return value
        self._expected.clear()
        self.has_left_batch = self.has_ever_left_batch = True
        try:
            return self.session.ask(request, seconds, call)
        finally:
            self.waited = self.session.waited
