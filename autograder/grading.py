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


def grade(tasks, secret, report):
    """Grade every task.

    Parameters
    ----------
    tasks : list of Task
    secret : bytes
        What hidden inputs are drawn from.
    report : callable
        Called as ``report(task, verdict, session)`` after each exercise; the session is None for an answer that
        is still all stubs.

    Raises
    ------
    autograder.plugin.SuiteFault
        Where our own suites are broken. Nothing an answer does raises.
    """
    for task in tasks:
        if not task.is_untouched():
            zygote_for(task.chapter.libraries)  # starts while the grader imports pytest
    from autograder.plugin import run_suites  # noqa: PLC0415

    def work(suites):
        for task in tasks:
            session = None if task.is_untouched() else Session(task.answer, task.chapter)
            try:
                for exercise in task.exercises:
                    untouched = session is None or task.answer.is_untouched(exercise)
                    report(task, suites.judge(exercise, None if untouched else session), session)
            finally:
                if session is not None:
                    session.close()

    exercises = {exercise.name: exercise for task in tasks for exercise in task.exercises}
    run_suites(list(exercises.values()), secret, work)
