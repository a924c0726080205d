"""Grades answers: one task is one answer and the exercises of one chapter to judge in it."""

from dataclasses import dataclass

from autograder.answer_file import AnswerFile
from autograder.chapter import Chapter
from autograder.process import zygote_for
from autograder.session import Session


@dataclass(frozen=True)
class Task:
    """One answer to grade on some exercises of a chapter."""

    answer: AnswerFile
    chapter: Chapter
    exercises: tuple

    def __post_init__(self):
        object.__setattr__(self, "answer", self.answer.without_leftover_stubs(self.chapter.exercises))

    def is_untouched(self):
        return all(self.answer.is_untouched(exercise) for exercise in self.exercises)


class Grader:
    """Judges answers on some exercises, one after the other.

    Parameters
    ----------
    exercises : iterable of autograder.chapter.Exercise
    secret : bytes
        What hidden inputs are drawn from.

    Raises
    ------
    autograder.errors.SuiteFault
        Where our own suites are broken. Nothing an answer does raises.
    """

    def __init__(self, exercises, secret):
        from autograder.plugin import collect_suites  # noqa: PLC0415  (imports pytest)

        self.suites = collect_suites(exercises, secret)

    def grade(self, task, report):
        """Judge one answer; calls ``report(task, verdict, session)`` after each exercise.

        The session is None for an answer that is still all stubs.
        """
        session = None if task.is_untouched() else Session(task.answer, task.chapter)
        try:
            for exercise in task.exercises:
                untouched = session is None or task.answer.is_untouched(exercise)
                report(task, self.suites.judge(exercise, None if untouched else session), session)
        finally:
            if session is not None:
                session.close()


def grade(tasks, secret, report):
    """Grade every task, on the exercises of all of them together."""
    for task in tasks:
        if not task.is_untouched():
            zygote_for(task.chapter.libraries_for(task.answer))  # starts while the grader imports pytest
    exercises = {exercise.name: exercise for task in tasks for exercise in task.exercises}
    grader = Grader(exercises.values(), secret)
    for task in tasks:
        grader.grade(task, report)
