"""What a suite asks of every answer, so that it can be asked in one message instead of a hundred.

A `Script` is written down while the suite judges the solution. A worker plays it: it makes all requests, one after
the other, and sends all replies back at once. The suite then runs on a `Played` session, which hands these replies
out as they are asked for.
"""

from dataclasses import dataclass

from autograder.replies import is_reply
from autograder.worker.wire import WireError, decode_all, encode


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


class Script:
    """The requests of an exercise's suite: one list of steps for each test, numbered through.

    Attributes
    ----------
    message : bytes
        The request that has a worker play it.
    """

    def __init__(self, name, tests):
        self.name, self.tests = name, tests
        self.steps = [step for test in tests for step in test]
        self.message = encode(["play", name, [[s.kind, s.subject, s.method, *s.rest] for s in self.steps]])

    def read(self, played):
        """The replies in what a worker sent back, or None where it is not what this script asks for."""
        try:
            replies = decode_all(played)
        except WireError:
            return None
        good = len(replies) == len(self.steps) and all(
            reply is None or is_reply(reply, [step.kind, None, *step.rest])
            for reply, step in zip(replies, self.steps, strict=True)
        )
        return replies if good else None


class Recorder:
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


class Played:
    """A session whose replies have come already.

    Attributes
    ----------
    left : bool
        Whether the suite asked for something else, so that the answer's worker was asked as well.
    """

    def __init__(self, session, script, replies):
        self.session, self.script, self.replies, self.left = session, script, replies, False
        self._refs = [reply and reply.get("ref") for reply in replies]
        self._tests, self._number, self._expected = iter(script.tests), 0, []

    def restart(self):
        """A new test begins: go on where its part of the script does."""
        self._number += len(self._expected)
        self._expected = list(next(self._tests, ()))

    def ask(self, request, seconds, call):
        """The reply that has come, or that of the worker where the script has another request here."""
        if self._expected:
            step, number = self._expected.pop(0), self._number
            self._number += 1
            inputs = b"" if request[0] == "again" else call.inputs
            asked = [step.kind, step.target(self.script.name, self._refs)]
            if self.replies[number] is not None and request[:2] == asked and inputs == step.inputs:
                return self.replies[number]
        self._number, self._expected, self.left = self._number + len(self._expected), [], True
        return self.session.ask(request, seconds, call)
