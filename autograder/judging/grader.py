"""Grading of tasks; a task is one answer with the exercises of a chapter that it is judged on."""

from __future__ import annotations

import functools
import time
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from autograder.boundary.channel import get_zygote
from autograder.boundary.session import Session
from autograder.chapters.answers import Task
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.judging.budget import Budget
from autograder.judging.verdict.finding import Cost

if TYPE_CHECKING:
    from autograder.judging.verdict.verdict import ExerciseVerdict

LOCATE_SECONDS = 2.0  # limit for finding the line of a mistake while a person waits


class Grader:
    """Judges answers to some exercises, one after another.

    `secret`: the seed of the hidden inputs.
    `is_interactive`: whether a person waits for the result. Then an exercise ends with its first timeout, and exercises
        that call it are skipped.
    Raises `SuiteFault` if the kit's suites are broken. Nothing that an answer does raises an exception.
    """

    def __init__(self, exercises: Iterable[Exercise], secret: bytes, is_interactive: bool = False) -> None:
        from autograder.judging.judge import Judge  # noqa: PLC0415  (imports pytest)

        self.is_interactive, self.judge = is_interactive, Judge(exercises, secret, is_interactive)

    @classmethod
    @functools.lru_cache(maxsize=16)
    def for_chapter(cls, name: str, secret: bytes, is_interactive: bool = False) -> Grader:
        """Return the grader for all exercises of a chapter; its suites are collected once for all answers."""
        chapter = read_chapter(name)
        get_zygote(chapter.libraries)  # It starts while the suites are collected.
        return cls(chapter.exercises, secret, is_interactive)

    @classmethod
    def for_tasks(cls, tasks: Iterable[Task], secret: bytes, is_interactive: bool = False) -> Grader:
        """Return one grader for the exercises of all tasks, and start their zygotes in the background."""
        for task in tasks:
            if not task.is_untouched:
                get_zygote(task.libraries)  # It starts while the grader imports pytest.
        exercises = {exercise.name: exercise for task in tasks for exercise in task.exercises}
        return cls(exercises.values(), secret, is_interactive)

    def grade(self, task: Task, right: Iterable[str] = (), locates: bool = False) -> Iterator[ExerciseVerdict]:
        """Judge one answer and yield a verdict for each exercise; those in `right` are known to have passed."""
        for verdict in self._judge(task, set(right)):
            if locates:
                self.locate_mistake(task, verdict, Budget(LOCATE_SECONDS))
            yield verdict

    def _judge(self, task: Task, right: set[str]) -> Iterator[ExerciseVerdict]:
        session = None if task.is_untouched else Session(task, is_interactive=self.is_interactive)
        budget, hanging = Budget(), list[str]()
        postponed = []  # verdicts that wait for an explanation by dependencies, and all later ones
        try:
            for exercise in task.exercises:
                # If a person waits, exercises that call one without a result are skipped.
                reached = task.answer.find_names_reached(exercise.name) if self.is_interactive and hanging else ()
                if cause := next((name for name in hanging if name in reached), None):
                    verdict = self.judge.skip(exercise, cause)
                else:
                    is_untouched = session is None or task.answer.is_untouched(exercise)
                    verdict = self.judge.judge(exercise, None if is_untouched else session, budget)
                hanging += [exercise.name] * (verdict.outcome == "timeout")
                right |= {exercise.name} if verdict.outcome == "passed" else set()
                dependencies = _find_dependencies(task, exercise, verdict, right)
                if dependencies or postponed:
                    postponed.append((verdict, dependencies))
                else:
                    yield verdict
        finally:
            if session is not None:
                session.close()
        # The timing of an answer could reveal what solutions return, so they are used only after its last call.
        for verdict, dependencies in postponed:
            if dependencies:
                self._explain(task, verdict, Cost.SOLUTIONS, budget, dependencies)
            yield verdict

    def locate_mistake(self, task: Task, verdict: ExerciseVerdict, budget: Budget) -> bool:
        """Search for the line of an unnamed mistake; return whether the verdict has changed."""
        explanation = verdict.explanation
        if verdict.outcome not in ("wrong", "raised") or budget.seconds_left <= 0:
            return False
        started = time.monotonic()
        self._explain(task, verdict, Cost.SEARCH, Budget(budget.seconds_left))
        budget.charge(time.monotonic() - started)
        return verdict.explanation is not explanation

    def _explain(
        self, task: Task, verdict: ExerciseVerdict, up_to: Cost, budget: Budget, dependencies: tuple[str, ...] = ()
    ) -> None:
        from autograder.judging.explain.case import CaseWithTask  # noqa: PLC0415  (imports NumPy)
        from autograder.judging.explain.pipeline import explain  # noqa: PLC0415

        exercise = task.chapter.exercise(verdict.exercise)
        explain(CaseWithTask(exercise, verdict, budget, task, self.judge.suites, dependencies), up_to)


def _find_dependencies(
    task: Task, exercise: Exercise, verdict: ExerciseVerdict, right: Collection[str]
) -> tuple[str, ...]:
    if verdict.outcome not in ("wrong", "raised") or exercise.seconds is not None:
        return ()
    from autograder.judging.explain.pipeline import find_dependencies  # noqa: PLC0415  (imports NumPy)

    return find_dependencies(task, exercise, right)
