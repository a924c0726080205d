"""Finds out whether an exercise is right but for another one that it calls.

It is judged again with the solution of the others in their place. These are called across the boundary: a stand-in in
the answer's worker sends the arguments out and gets the values back. Whoever asks a solution could learn what is
expected of him, so nothing comes back of such a trial but whether the exercise passes.
"""

import re

import numpy as np

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import Session
from autograder.chapters.chapter import read_chapter
from autograder.judging.trusted import spare_solutions
from autograder.judging.verdict import UNNAMED
from autograder.worker.values import Tensor

GRANT_SECONDS = 5.0  # for one wish of an answer
MAX_GRANTS = 5000  # wishes in one trial
LARGEST_WISH = 10_000  # elements of an array, characters of a text, or an integer: it may be a size


class Grants:
    """The chapter's solutions for what an answer's code wishes for; in a worker of their own, for it may wish anything.

    Parameters
    ----------
    chapter : str
    names : list of str
        The exercises that may be called.
    """

    _done = 0

    def __init__(self, chapter, names):
        self.names, self.left = names, MAX_GRANTS
        self.modules = [name for name in names if read_chapter(chapter).exercise(name).stub.startswith("class ")]
        self.source = spare_solutions(chapter)
        self.source.surely(lambda: self.source.begin(self))  # at nobody's expense

    def __call__(self, wish):
        """The value of a call, or of gradients pulled back through one; an error where it is no such wish."""
        kind, name, *rest = wish if len(wish) > 1 else ("", "")
        known = isinstance(kind, str) and kind in ("call", "pull") and isinstance(name, str) and name in self.names
        self.left -= 1
        if self.left < 0 or not (known and _is_small(rest)):
            return {"error": "the grader does not do this"}
        try:
            self.source.begin(self)
            target = name
            if name in self.modules:
                target = self.source.worker.ask(["call", name, [], {}], GRANT_SECONDS)["ref"]
            reply = self.source.worker.ask([kind, target, *rest], GRANT_SECONDS)
        except (WorkerEnded, RuntimeError):
            self.source.close()
            return {"error": "it takes too long"}
        return {"error": reply["error"]["message"]} if "error" in reply else {"value": reply["value"]}


def _is_small(value):
    """Whether a value is made of plain data as small as that of a suite."""
    if isinstance(value, Tensor):
        value = value.array
    if isinstance(value, np.ndarray):
        return value.size <= LARGEST_WISH
    if isinstance(value, (list, tuple, dict)):
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        return len(parts) <= LARGEST_WISH and all(map(_is_small, parts))
    if isinstance(value, str):
        return len(value) <= LARGEST_WISH
    if isinstance(value, int):
        return abs(value) <= LARGEST_WISH
    return value is None or isinstance(value, (float, np.generic))


def callees(answer, chapter, exercise, reached, right):
    """The exercises that one calls and that are not known to be right: those of the same chapter above it.

    They are functions, and modules that are made of nothing and hold no weights: all others have something to remember.

    Parameters
    ----------
    answer : autograder.chapters.answers.AnswerFile
    chapter : autograder.chapters.chapter.Chapter
    exercise : autograder.chapters.chapter.Exercise
    reached : set of str
        The names that its code leads to.
    right : set of str
        Exercises that have passed.
    """
    above = chapter.exercises[: [each.name for each in chapter.exercises].index(exercise.name)]
    candidates = [each.name for each in above if each.name in reached and each.name not in right]
    return [each for each in candidates if each in answer.definitions and _holds_nothing(chapter.exercise(each))]


def _holds_nothing(exercise):
    return f"def {exercise.name}(" in exercise.stub or re.search(
        rf"class {exercise.name}\(nn\.Module\):(?!.*def __init__)", exercise.stub, re.DOTALL
    )


def carry(verdict, exercise, task, names, judge, budget):
    """Say in a verdict on a wrong answer that it is right but for others that it calls, where it is.

    Parameters
    ----------
    verdict : autograder.judging.verdict.ExerciseVerdict
    exercise : autograder.chapters.chapter.Exercise
    task : autograder.chapters.tasks.Task
    names : list of str
        What `callees` gave.
    judge : autograder.judging.judge.Judge
    budget : autograder.judging.budget.Budget
    """
    needed = names
    if not _passes_with(names, exercise, task, judge, budget):
        return
    for name in names:  # no other one is blamed than those without whose solutions it would not pass
        others = [each for each in needed if each != name]
        if others and _passes_with(others, exercise, task, judge, budget):
            needed = others
    verdict.named, verdict.relation, verdict.carried_by = UNNAMED, "", tuple(needed)


def _passes_with(names, exercise, task, judge, budget) -> bool:
    """Whether an answer passes where solutions stand in for some of its functions.

    This truth value is all that ever leaves such a trial. The process is made for it, hears nothing of what was asked
    before, and ends with it; what it prints, raises, returns or writes is dropped here.
    """
    session = Session(task.answer, task.chapter, Grants(exercise.chapter, names))
    try:
        with budget.waiting(session) as seconds:
            session.load_seconds = min(session.load_seconds, seconds)
            return judge.passes(exercise, session, seconds)
    finally:
        session.close()
