"""A limit for the grader's own time to explain one answer.

Workers have separate time limits. An answer can also make the grader slow, with large or unusual replies, so each step
of an explanation first requires that time is left.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from autograder.boundary.session import AnswerSession

# The limit of CPU time. Honest wrong answers to a whole chapter take a few seconds.
EXPLAINING_SECONDS = 20.0


class BudgetExhausted(Exception):
    """The time for explaining an answer is used up."""


class Budget:
    """The grader's remaining time for one answer, a context manager: the time inside it is charged."""

    def __init__(self, seconds: float = EXPLAINING_SECONDS) -> None:
        self._seconds_left = seconds
        self._entered, self._since = 0, 0.0

    def __enter__(self) -> Budget:
        self._seconds_left, self._since = self.seconds_left, time.thread_time()
        self._entered += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._seconds_left, self._since = self.seconds_left, time.thread_time()
        self._entered -= 1

    @property
    def seconds_left(self) -> float:
        return self._seconds_left - (time.thread_time() - self._since if self._entered else 0.0)

    def require_time(self) -> None:
        if self.seconds_left <= 0:
            raise BudgetExhausted

    @contextlib.contextmanager
    def charge_waiting(self, session: AnswerSession) -> Iterator[float]:
        """Yield the remaining seconds, and charge the time inside the context, except for waiting for a CPU."""
        self.require_time()
        started, waited = time.monotonic(), session.waited
        try:
            yield self.seconds_left
        finally:
            self.charge(time.monotonic() - started - (session.waited - waited))

    def charge(self, seconds: float) -> None:
        self._seconds_left -= seconds
