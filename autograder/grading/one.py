"""Grades answers: one task is one answer and the exercises of one chapter to judge in it."""

import functools

from autograder.boundary.session import Session
from autograder.boundary.zygotes import zygote_for
from autograder.chapters.chapter import read_chapter


class Grader:
    """Judges answers on some exercises, one after the other.

    Parameters
    ----------
    exercises : iterable of autograder.chapters.chapter.Exercise
    secret : bytes
        What hidden inputs are drawn from.

    Raises
    ------
    autograder.chapters.errors.SuiteFault
        Where our own suites are broken. Nothing an answer does raises.
    """

    def __init__(self, exercises, secret):
        from autograder.judging.judge import Judge  # noqa: PLC0415  (imports pytest)

        self.judge = Judge(exercises, secret)

    @classmethod
    @functools.lru_cache(maxsize=16)
    def of(cls, name, secret):
        """The one for all exercises of the chapter of that name: suites are collected once for all answers to it."""
        chapter = read_chapter(name)
        zygote_for(chapter.libraries)  # starts while the suites are collected
        return cls(chapter.exercises, secret)

    def grade(self, task):
        """Judge one answer, exercise by exercise; yields the verdicts."""
        session = None if task.is_untouched() else Session(task.answer, task.chapter)
        try:
            for exercise in task.exercises:
                untouched = session is None or task.answer.is_untouched(exercise)
                yield self.judge.verdict(exercise, None if untouched else session)
        finally:
            if session is not None:
                session.close()


def grade(tasks, secret):
    """Grade every task, on the exercises of all of them together; yields pairs of task and verdict."""
    for task in tasks:
        if not task.is_untouched():
            zygote_for(task.chapter.libraries_for(task.answer))  # starts while the grader imports pytest
    exercises = {exercise.name: exercise for task in tasks for exercise in task.exercises}
    grader = Grader(exercises.values(), secret)
    for task in tasks:
        for verdict in grader.grade(task):
            yield task, verdict
