"""The grader's own time for explaining one answer.

A worker's time has limits of its own. The time that the grader spends on its replies has none, and an answer can make
that long; so all of it is taken from this budget, and every step first asks whether any is left.
"""

from __future__ import annotations

import contextlib
import itertools
import time
import traceback
from collections.abc import Iterator
from typing import Protocol

from autograder.boundary.session import AnswerSession
from autograder.boundary.zygote import NoWorker
from autograder.chapters.errors import KitFault, MissingExtra

EXPLAINING_SECONDS = 20.0  # of CPU time; honest wrong answers to a whole chapter take a few
SPENT_SENTENCE = "The time for explaining this answer is used up, so there may be more to report."


class BudgetExhausted(Exception):
    """The time for explaining an answer is over."""


class Explained(Protocol):
    """A verdict, which records why its explanation is incomplete."""

    explanation_error: str


class Budget:
    """The remaining time of the grader for one answer; it is counted while the budget is entered."""

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

    def check(self) -> None:
        if self.seconds_left <= 0:
            raise BudgetExhausted

    @contextlib.contextmanager
    def waiting(self, session: AnswerSession) -> Iterator[float]:
        """Charge the time that a session needs for an explanation, and yield the time that is left."""
        self.check()
        started, waited = time.monotonic(), session.waited
        try:
            yield self.seconds_left
        finally:
            self.charge(time.monotonic() - started - (session.waited - waited))

    def charge(self, seconds: float) -> None:
        self._seconds_left -= seconds


@contextlib.contextmanager
def isolate_failures(verdict: Explained, budget: Budget) -> Iterator[None]:
    """Catch what ends an explanation, because points are settled, and record the reason in the verdict."""
    try:
        with budget:
            yield
    except BudgetExhausted:
        verdict.explanation_error = SPENT_SENTENCE
    except Exception as error:
        if isinstance(error, (KitFault, MissingExtra, NoWorker)):  # these concern all answers
            raise
        verdict.explanation_error = fault_of(error)


def fault_of(error: Exception) -> str:
    """Return the message for an internal error: where in our code it happened, without data of the answer."""
    modules = [(frame.f_globals.get("__name__", ""), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    ours = itertools.takewhile(lambda module: module[0].startswith("autograder."), modules[1:])
    name, line = [modules[0], *ours][-1]
    fault = f"The grader failed ({type(error).__name__} in {name}, line {line})."
    return f"{fault} This says nothing about the answer; please report it."
