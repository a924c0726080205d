"""Finds out whether an exercise is right but for another one that it calls.

It is judged again with the solution of the others in their place. These are called across the boundary: a stand-in in
the answer's worker sends the arguments out and gets the values back. Whoever asks a solution could learn what is
expected of him, so nothing comes back of such a trial but whether the exercise passes.
"""

import re
from collections.abc import Collection, Sequence

import numpy as np

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import Session
from autograder.boundary.zygote import NoWorker
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.chapters.tasks import Task
from autograder.judging.explain.case import Submitted
from autograder.judging.run.kit_code import spare_solutions
from autograder.judging.verdict.explanation import Explanation, Kind
from autograder.worker.values import Tensor

REQUEST_SECONDS = 5.0  # for one request of an answer
MAX_REQUESTS = 5000  # in one trial
_HOLDS_NOTHING = r"def {0}\(|class {0}\(nn\.Module\):(?!.*def __init__)"  # the stub of such an exercise
LARGEST_INPUT = 10_000  # elements of an array, characters of a text, or an integer: it may be a size


class SolutionProxy:
    """The chapter's solutions of these names for the answer's code, in a worker of their own: it may ask anything."""

    def __init__(self, chapter: str, names: Sequence[str]) -> None:
        self.names, self.requests_left = names, MAX_REQUESTS
        self.modules = [name for name in names if read_chapter(chapter).exercise(name).stub.startswith("class ")]
        self.source = spare_solutions(chapter)
        self.source.with_retry(lambda: self.source.begin(self))  # before the answer's time counts

    def __call__(self, request: list) -> dict:
        """The value of a call, or of gradients pulled back through one; an error where it is no such request."""
        kind, name, *rest = request if len(request) > 1 else ("", "")
        is_allowed = isinstance(kind, str) and kind in ("call", "pull") and isinstance(name, str) and name in self.names
        self.requests_left -= 1
        if self.requests_left < 0 or not (is_allowed and _is_small(rest)):
            return {"error": "the grader does not do this"}
        try:
            self.source.begin(self)
            target = name
            if name in self.modules:
                target = self.source.ask(["call", name, [], {}], REQUEST_SECONDS)["ref"]
            reply = self.source.ask([kind, target, *rest], REQUEST_SECONDS)
        except (NoWorker, WorkerEnded):
            self.source.close()
            return {"error": "it takes too long"}
        return {"error": reply["error"]["message"]} if "error" in reply else {"value": reply["value"]}


def _is_small(value: object) -> bool:
    """Whether a value is made of plain data as small as that of a suite."""
    if isinstance(value, Tensor):
        value = value.array
    if isinstance(value, np.ndarray):
        return value.size <= LARGEST_INPUT
    if isinstance(value, (list, tuple, dict)):
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        return len(parts) <= LARGEST_INPUT and all(map(_is_small, parts))
    if isinstance(value, str):
        return len(value) <= LARGEST_INPUT
    if isinstance(value, int):
        return abs(value) <= LARGEST_INPUT
    return value is None or isinstance(value, (float, np.generic))


def dependencies_of(task: Task, exercise: Exercise, right: Collection[str]) -> tuple[str, ...]:
    """The exercises that one calls and that are not known to be right: those of the same chapter above it.

    They are functions, and modules that are made of nothing and hold no weights: all others have something to remember.
    """
    chapter, reached = task.chapter, task.answer.names_reached(exercise.name)
    above = chapter.exercises[: chapter.names.index(exercise.name)]
    names = [other.name for other in above if re.search(_HOLDS_NOTHING.format(other.name), other.stub, re.DOTALL)]
    return tuple(name for name in names if name in reached.difference(right) and name in task.answer.definitions)


def blame_dependencies(case: Submitted) -> Explanation | None:
    """Say that an exercise is right but for others that it calls, where it passes with their solutions."""
    blamed = case.dependencies
    if not (blamed and _passes_with(blamed, case)):
        return None
    for name in case.dependencies:  # no other one is blamed than those without whose solutions it would not pass
        others = tuple(other for other in blamed if other != name)
        if others and _passes_with(others, case):
            blamed = others
    names, those = " and ".join(blamed), "those" if len(blamed) > 1 else "that"
    sentence = f"{case.exercise.name} is right but for {names}, which it calls: mend {those} first."
    return Explanation(Kind.DEPENDENCY, sentence, dependencies=blamed)


def _passes_with(names: tuple[str, ...], case: Submitted) -> bool:
    """Whether an answer passes where solutions stand in for some of its functions.

    This truth value is all that ever leaves such a trial. The process is made for it, hears nothing of what was asked
    before, and ends with it; what it prints, raises, returns or writes is dropped here.
    """
    task = case.task
    session = Session(task, SolutionProxy(task.chapter.name, names))
    try:
        with case.budget.waiting(session) as seconds:
            session.load_seconds = min(session.load_seconds, seconds)
            return case.suites.passes(case.exercise, session, seconds)
    finally:
        session.close()
