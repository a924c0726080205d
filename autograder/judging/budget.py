"""A limit for the CPU time that the grader spends on explaining one answer.

Workers have separate time limits. Large or unusual replies can also make the grader slow, so each step of an
explanation first calls `Budget.require_time`.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from autograder.boundary.session import AnswerSession

# Ordinary wrong answers to a whole chapter need a few seconds of CPU time.
EXPLAINING_SECONDS = 20.0


class BudgetExhausted(Exception):
    """Raised if the time for explaining an answer is used up."""


class Budget:
    """The grader's remaining time for one answer. Used as a context manager, it charges the time spent inside."""

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
    def charge_elapsed_time(self, session: AnswerSession) -> Iterator[float]:
        """Yield the remaining seconds, then charge the time inside the context, minus the worker's wait for a CPU."""
        self.require_time()
        start, waited_before = time.monotonic(), session.waited
        try:
            yield self.seconds_left
        finally:
            self.charge(time.monotonic() - start - (session.waited - waited_before))

    def charge(self, seconds: float) -> None:
        self._seconds_left -= seconds
