"""The grader's own time for one answer: a verdict is explained for as long as it lasts, and no longer.

What a worker takes has deadlines of its own. What the grader does with its replies has none, and an answer chooses how
long that takes; so all of it is paid from here, and whoever begins another step asks first whether there is any left.
"""

from __future__ import annotations

import contextlib
import itertools
import time
import traceback
from collections.abc import Iterator
from typing import Protocol

from autograder.boundary.session import Asked
from autograder.boundary.zygote import NoWorker
from autograder.chapters.errors import KitFault, MissingExtra

EXPLAINING_SECONDS = 20.0  # of processor time; honest wrong answers to a whole chapter take a few
SPENT_SENTENCE = "The time to explain this answer is over: there may be more to say."


class Spent(Exception):
    """There is no time left to explain an answer."""


class Explained(Protocol):
    """A verdict, which says why its explanation ended before its time."""

    unexplained: str


class Budget:
    """What is left of the grader's time for one answer; time counts while it is entered."""

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
            raise Spent

    @contextlib.contextmanager
    def waiting(self, session: Asked) -> Iterator[float]:
        """Pay for what a session takes to do something for an explanation; it gets what is left at most."""
        self.check()
        started, waited = time.monotonic(), session.waited
        try:
            yield self.seconds_left
        finally:
            self.pay(time.monotonic() - started - (session.waited - waited))

    def pay(self, seconds: float) -> None:
        self._seconds_left -= seconds


@contextlib.contextmanager
def explaining(verdict: Explained, budget: Budget) -> Iterator[None]:
    """Whatever ends an explanation, the points are settled: the verdict says that there is no more to read, and why."""
    try:
        with budget:
            yield
    except Spent:
        verdict.unexplained = SPENT_SENTENCE
    except Exception as error:
        if isinstance(error, (KitFault, MissingExtra, NoWorker)):  # it concerns all answers
            raise
        verdict.unexplained = fault_of(error)


def fault_of(error: Exception) -> str:
    """What is said where the grader itself fails over an answer: the place in our code, and nothing of the answer's."""
    modules = [(frame.f_globals.get("__name__", ""), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    ours = itertools.takewhile(lambda module: module[0].startswith("autograder."), modules[1:])
    name, line = [modules[0], *ours][-1]
    fault = f"The grader failed ({type(error).__name__} in {name}, line {line})."
    return f"{fault} This says nothing about the answer; please report it."
