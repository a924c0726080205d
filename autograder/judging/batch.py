"""What a suite asks of every answer, so that it can be asked in one message instead of a hundred.

A `Batch` is written down while the suite judges the solution. A worker plays it: it makes all requests, one after
the other, and sends all replies back at once. The suite then runs on a `Played` session, which hands these replies
out as they are asked for.
"""

import hashlib
from dataclasses import dataclass, replace

from autograder.boundary.forms import is_reply
from autograder.boundary.session import Asked
from autograder.worker.wire import WireError, decode_message, encode, split


@dataclass(frozen=True)
class Step:
    """One request: its kind, the step whose result it is about (None for the exercise itself), a method, the rest."""

    kind: str
    subject: int | None
    method: str
    rest: tuple
    inputs: bytes

    def target(self, name, refs):
        """What the request is about, for one who knows the steps' results by these numbers."""
        if self.subject is None:
            return name
        return [refs[self.subject], self.method] if self.method else refs[self.subject]


class Batch:
    """The requests of an exercise's suite: one list of steps for each test, numbered through.

    Attributes
    ----------
    message : bytes
        The request that has a worker play it.
    """

    def __init__(self, name, tests):
        self.name, self.tests = name, tests
        self.rows = [[s.kind, s.subject, s.method, *s.rest] for test in tests for s in test]
        self.steps = [step for test in tests for step in test]
        self.message = encode(["play", name, self.rows])

    def alone(self, number, count=None):
        """The first steps of one test as a batch of its own; all of them where no count is named."""
        before = sum(map(len, self.tests[:number]))
        steps = self.tests[number][:count]
        about = [None if step.subject is None else step.subject - before for step in steps]
        moved = [replace(step, subject=subject) for step, subject in zip(steps, about, strict=True)]
        return Batch(self.name, [moved])

    def read(self, sent):
        """The replies in what a worker sent, or None where it is not what this batch asks for."""
        try:
            messages = split(sent)
            return BatchReplies(self, messages) if len(messages) == len(self.steps) + 1 else None
        except WireError:
            return None


class BatchReplies:
    """What a worker replied to a batch, still as bytes.

    Attributes
    ----------
    tests : list of tuple
        For each test its exercise, its number and a digest of all that can decide whether it passes.
    whole : tuple
        The exercise, and a digest of all that can decide what is said where one does not.
    """

    def __init__(self, batch, messages):
        self.batch, self.messages, self.tests, at = batch, messages, [], 0
        whole = hashlib.sha256()
        for number, test in enumerate(batch.tests):
            own = b"".join(messages[at : at + len(test)])  # each says how long it is: no two lists of them join alike
            digest = hashlib.sha256(own).digest()
            self.tests.append((batch.name, number, digest))
            whole.update(digest)
            at += len(test)
        whole.update(messages[-1])
        self.whole = batch.name, whole.digest()

    def decode(self):
        """The replies as values, or None where the answer has forged some that are of the wrong form."""
        try:
            *values, trails = map(decode_message, self.messages)
            for number, where in trails:
                values[number]["error"]["where"] = where
        except (WireError, ValueError, KeyError, TypeError, IndexError):
            return None
        steps = zip(self.batch.steps, values, strict=True)
        good = all(value is None or is_reply(value, [step.kind, None, *step.rest]) for step, value in steps)
        return values if good else None


class Recorder(Asked):
    """A session that writes down what is asked of another one."""

    def __init__(self, session):
        self.session, self.tests, self._count = session, [], 0

    def restart(self):
        """A new test begins."""
        self.session.restart()
        self.tests.append([])
        self._made = {}  # number of a result -> the step it came of

    def ask(self, request, seconds, call):
        """Pass a request on."""
        reply = self.session.ask(request, seconds, call)
        kind, target, *rest = request
        number, method = target if isinstance(target, list) else (target, "")
        subject = None if isinstance(target, str) else self._made[number]
        self.tests[-1].append(Step(kind, subject, method, tuple(rest), b"" if kind == "again" else call.inputs))
        self._made.setdefault(reply.get("ref"), self._count)
        self._count += 1
        return reply


class Played(Asked):
    """A session whose replies have come already.

    Attributes
    ----------
    test : int
        Which test begins with the next `restart`.
    left : bool
        Whether something else was asked in this test, so that the answer's worker had to reply.
    """

    def __init__(self, session, replies, values):
        self.session, self.replies, self.values, self.left = session, replies, values, False
        self.batch, self.file = replies.batch, session.file
        self._worker, self._refs = session.worker, [value and value.get("ref") for value in values]
        self.test, self._number, self._expected = 0, 0, []

    @property
    def waited(self):
        """That of the session which is asked where the replies do not suffice."""
        return self.session.waited

    @property
    def used(self):
        """How many replies of this test's have been asked for."""
        return len(self.batch.tests[self.test]) - len(self._expected)

    def restart(self):
        """A new test begins; it is asked step by step where the worker that played has ended meanwhile."""
        self._number = sum(map(len, self.batch.tests[: self.test]))
        self.left = self.session.worker is not self._worker
        self._expected = [] if self.left else list(self.batch.tests[self.test])

    def ask(self, request, seconds, call):
        """The reply that has come, or that of the worker where the batch has another request here."""
        if self._expected:
            step, number = self._expected.pop(0), self._number
            self._number += 1
            inputs = b"" if request[0] == "again" else call.inputs
            asked = [step.kind, step.target(self.batch.name, self._refs)]
            if self.values[number] is not None and request[:2] == asked and inputs == step.inputs:
                return self.values[number]
        self._expected, self.left = [], True
        return self.session.ask(request, seconds, call)
