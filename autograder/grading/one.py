"""Grades answers: one task is one answer and the exercises of one chapter to judge in it."""

import functools
import time
from typing import TYPE_CHECKING

from autograder.boundary.session import HASTY_LOAD_SECONDS, Session
from autograder.boundary.zygotes import zygote_for
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.chapters.errors import KitError, sentence_of
from autograder.judging.budget import Budget, explaining

if TYPE_CHECKING:
    from autograder.judging.verdict import ExerciseVerdict

LOCATE_SECONDS = 2.0  # to look for the line of a mistake, for somebody who waits


class Grader:
    """Judges answers on some exercises, one after the other.

    Parameters
    ----------
    exercises : iterable of autograder.chapters.chapter.Exercise
    secret : bytes
        What hidden inputs are drawn from.
    is_hasty : bool
        Whether somebody sits and waits: one call without a result is enough then, and what uses such an exercise is
        not tried.

    Raises
    ------
    autograder.chapters.errors.SuiteFault
        Where our own suites are broken. Nothing an answer does raises.
    """

    def __init__(self, exercises, secret, is_hasty=False):
        from autograder.judging.asking import HASTY, PATIENCE  # noqa: PLC0415  (imports NumPy)
        from autograder.judging.judge import Judge  # noqa: PLC0415  (imports pytest)

        self.is_hasty = is_hasty
        self.judge = Judge(exercises, secret, HASTY if is_hasty else PATIENCE)

    @classmethod
    @functools.lru_cache(maxsize=16)
    def of(cls, name, secret):
        """The one for all exercises of the chapter of that name: suites are collected once for all answers to it."""
        chapter = read_chapter(name)
        zygote_for(chapter.libraries)  # starts while the suites are collected
        return cls(chapter.exercises, secret)

    @classmethod
    def for_tasks(cls, tasks, secret, is_hasty=False):
        """The one for the exercises of some tasks together; their processes start meanwhile."""
        for task in tasks:
            if not task.is_untouched():
                zygote_for(task.chapter.libraries_for(task.answer))  # starts while the grader imports pytest
        exercises = {exercise.name: exercise for task in tasks for exercise in task.exercises}
        return cls(exercises.values(), secret, is_hasty)

    def grade(self, task, right=(), locates=False):
        """Judge one answer, exercise by exercise; yields the verdicts.

        Parameters
        ----------
        task : autograder.chapters.tasks.Task
        right : collection of str
            Exercises that are known to have passed and are not among those to judge.
        locates : bool
            Look for the line of each mistake, so long for each.
        """
        session = None if task.is_untouched() else Session(task.answer, task.chapter)
        if session and self.is_hasty:
            session.load_seconds = HASTY_LOAD_SECONDS
        budget, hanging, right = Budget(), [], set(right)
        judged = []  # where others may have a part in what is wrong, and all that comes after: see below
        try:
            for exercise in task.exercises:
                untouched = session is None or task.answer.is_untouched(exercise)
                if cause := next(iter(self._waits_for(task, exercise, hanging)), None):
                    verdict = self.judge.not_tried(exercise, cause)
                else:
                    verdict = self._verdict(exercise, None if untouched else session, budget)
                hanging += [exercise.name] * (verdict.outcome == "timeout")
                right |= {exercise.name} if verdict.outcome == "passed" else set()
                names = self._not_right(task, exercise, verdict, right)
                if names or judged:
                    judged.append((verdict, names))
                else:
                    yield self._located(task, verdict, locates)
        finally:
            if session is not None:
                session.close()
        # With solutions in the place of others, an answer could tell the time what they return. Nobody listens by now.
        for verdict, names in judged:
            if names:
                self._carry(task, verdict, names, budget)
            yield self._located(task, verdict, locates)

    def _verdict(self, exercise: Exercise, session: Session | None, budget: Budget) -> "ExerciseVerdict":
        """The verdict of the judge; an answer over which the judge itself fails costs no other exercise its verdict."""
        try:
            return self.judge.verdict(exercise, session, budget)
        except KitError:
            raise
        except Exception as error:
            return self.judge.faulted(exercise, sentence_of(error))

    def _not_right(self, task, exercise, verdict, right):
        """The exercises that a wrong one calls, and that may have a part in what is wrong."""
        if verdict.outcome not in ("wrong", "raised") or exercise.seconds is not None:
            return []
        from autograder.judging.carried import callees  # noqa: PLC0415  (imports NumPy)

        return callees(task.answer, task.chapter, exercise, task.answer.names_reached(exercise.name), right)

    def _carry(self, task, verdict, names, budget):
        """Look for the part that they have in it."""
        from autograder.judging.carried import carry  # noqa: PLC0415  (imports NumPy)

        with explaining(verdict, budget):
            carry(verdict, task.chapter.exercise(verdict.exercise), task, names, self.judge, budget)

    def _located(self, task, verdict, locates):
        """The verdict, with the line of the mistake where it is looked for."""
        if locates:
            verdict.located = self.locate(task, verdict, LOCATE_SECONDS)
        return verdict

    def locate(self, task, verdict, seconds):
        """Where the mistake is, if no name says what it is; None where it is not found.

        Parameters
        ----------
        task : autograder.chapters.tasks.Task
        verdict : autograder.judging.verdict.ExerciseVerdict
        seconds : float
            How long it may take.

        Returns
        -------
        autograder.judging.located.Located or None
        """
        exercise = task.chapter.exercise(verdict.exercise)
        is_told = verdict.misconception or verdict.carried_from
        if verdict.outcome not in ("wrong", "raised") or is_told or exercise.seconds is not None or seconds <= 0:
            return None
        from autograder.judging.locate import locate  # noqa: PLC0415  (most answers are right, or are named)

        with explaining(verdict, Budget(seconds)):
            return locate(verdict, exercise, task, self.judge, seconds)
        return None

    def _waits_for(self, task, exercise, hanging):
        """Those without a result that this one uses, where there is no patience to try it all the same."""
        if not (self.is_hasty and hanging):
            return []
        reached = task.answer.names_reached(exercise.name)
        return [name for name in hanging if name in reached]


class Locating:
    """Looks for the lines of mistakes, one wrong answer after another.

    Parameters
    ----------
    seconds : float
        For all of them together; 0 to look for none.
    """

    def __init__(self, seconds=LOCATE_SECONDS):
        self.left = seconds

    def __call__(self, grader, task, verdict):
        """Look for the line of one and put it into the verdict; whether it was found."""
        started = time.monotonic()
        verdict.located = grader.locate(task, verdict, self.left)
        self.left -= time.monotonic() - started
        return verdict.located is not None


def grade(tasks, secret, **patience):
    """Grade every task, on the exercises of all of them together; yields pairs of task and verdict.

    The arguments are those of `Grader`.
    """
    grader = Grader.for_tasks(tasks, secret, **patience)
    for task in tasks:
        for verdict in grader.grade(task):
            yield task, verdict
