"""Finds out whether an exercise is right but for another one that it calls.

It is judged again with the solution of the others in their place. These are called across the boundary: a stand-in in
the answer's worker sends the arguments out and gets the values back.
"""

import contextlib
import re
from dataclasses import replace

import numpy as np

from autograder.boundary.channel import WorkerEnded
from autograder.chapters.chapter import read_chapter
from autograder.judging.trusted import spare_solutions
from autograder.judging.verdict import UNNAMED
from autograder.worker.values import Tensor

GRANT_SECONDS = 2.0  # for one wish of an answer
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
        self.names = names
        self.modules = [name for name in names if read_chapter(chapter).exercise(name).stub.startswith("class ")]
        self.source = spare_solutions(chapter)

    def __call__(self, wish):
        """The value of a call, or of gradients pulled back through one; an error where it is no such wish."""
        kind, name, *rest = wish if len(wish) > 1 else ("", "")
        known = isinstance(kind, str) and kind in ("call", "pull") and isinstance(name, str) and name in self.names
        if not (known and _is_small(rest)):
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


def carry(verdict, exercise, session, names, judge):
    """Say in a verdict on a wrong answer what part others that it calls have in it.

    Parameters
    ----------
    verdict : autograder.judging.verdict.ExerciseVerdict
    exercise : autograder.chapters.chapter.Exercise
    session : autograder.boundary.session.Session
    names : list of str
        What `callees` gave.
    judge : autograder.judging.judge.Judge
    """
    told = verdict.speaking
    with _helped(session, exercise, names):
        alone = judge.one_test(exercise, session, told.name)
        if (alone.outcome, alone.finding) == (told.outcome, told.finding):
            return  # whatever the others do, this is not their work
        again = judge.verdict(exercise, session)
    if again.outcome == "passed":
        verdict.named, verdict.relation = UNNAMED, ""
        verdict.carried_by = tuple(_causes(exercise, session, names, judge))
    elif told.error_type == "NotImplementedError":
        return  # what it calls is still to do, and that is said
    elif again.points > verdict.points or (again.misconception and not verdict.misconception):
        _take_own_mistake(verdict, again, names)


@contextlib.contextmanager
def _helped(session, exercise, names):
    """The answer with solutions in the place of these functions."""
    session.stand_in(Grants(exercise.chapter, names))
    try:
        yield
    finally:
        session.stand_in()
        session.take_printed()  # it was printed before


def _causes(exercise, session, names, judge):
    """Those without whose solutions the exercise would not pass: no other one is blamed for it."""
    needed = names
    for name in names:
        others = [each for each in needed if each != name]
        if others:
            with _helped(session, exercise, others):
                needed = others if judge.verdict(exercise, session).outcome == "passed" else needed
    return needed


def _take_own_mistake(verdict, again, names):
    """Tell what is wrong with an exercise whatever the others are; the points stay."""
    speaking = replace(again.speaking)
    place = next(at for at, test in enumerate(verdict.tests) if test.name == speaking.name)
    if verdict.tests[place].outcome == "passed":
        return
    speaking.finding += f" (With the solution's {' and '.join(names)} in place of yours.)"
    verdict.tests[place], verdict.speaks = speaking, speaking.name
    verdict.named, verdict.relation = again.named, again.relation
