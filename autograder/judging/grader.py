"""The grader of tasks. A task is one answer, and the exercises of a chapter on which it is judged."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Iterator
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
    """A grader of answers to some exercises, which judges one answer after another.

    `secret`: the seed of the hidden inputs.
    `is_interactive`: whether a person waits for the result. If so, an exercise ends at its first timeout, and exercises
        that call it are skipped.
    Raises `SuiteError` if a suite is broken. No answer makes the grader raise an exception.
    """

    def __init__(self, exercises: Iterable[Exercise], secret: bytes, is_interactive: bool = False) -> None:
        from autograder.judging.judge import Judge  # noqa: PLC0415  (imports pytest)

        self.is_interactive, self.judge = is_interactive, Judge(exercises, secret, is_interactive)

    @classmethod
    @functools.lru_cache(maxsize=16)
    def for_chapter(cls, name: str, secret: bytes, is_interactive: bool = False) -> Grader:
        """Return the grader for all exercises of a chapter. It is cached, because collecting suites is slow."""
        chapter = read_chapter(name)
        get_zygote(chapter.libraries)  # The zygote starts in the background while the suites are collected.
        return cls(chapter.exercises, secret, is_interactive)

    @classmethod
    def for_tasks(cls, tasks: Iterable[Task], secret: bytes, is_interactive: bool = False) -> Grader:
        """Return one grader for the exercises of all tasks, and start their zygotes in the background."""
        for task in tasks:
            if not task.is_untouched:
                get_zygote(task.libraries)  # The zygote starts while the grader imports pytest.
        exercises = {exercise.name: exercise for task in tasks for exercise in task.exercises}
        return cls(exercises.values(), secret, is_interactive)

    def grade(self, task: Task, correct_names: Iterable[str] = ()) -> Iterator[ExerciseVerdict]:
        """Judge one answer and yield a verdict for each exercise. `correct_names`: exercises known to have passed."""
        correct_names = set(correct_names)
        session = None if task.is_untouched else Session(task, is_interactive=self.is_interactive)
        budget, timeouts = Budget(), list[str]()
        postponed = []  # the first verdict that dependencies may explain, and all later ones
        try:
            for exercise in task.exercises:
                # If a person waits, skip exercises that call an exercise which timed out.
                called_names = task.answer.find_used_names(exercise.name) if self.is_interactive and timeouts else ()
                if cause := next((name for name in timeouts if name in called_names), None):
                    verdict = self.judge.skip(exercise, cause)
                else:
                    is_untouched = session is None or task.answer.is_untouched(exercise)
                    verdict = self.judge.judge(exercise, None if is_untouched else session, budget)
                timeouts += [exercise.name] * (verdict.outcome == "timeout")
                correct_names |= {exercise.name} if verdict.outcome == "passed" else set()
                dependencies = _find_dependencies(task, exercise, verdict, correct_names)
                if dependencies or postponed:
                    postponed.append((verdict, dependencies))
                else:
                    yield verdict
        finally:
            if session is not None:
                session.close()
        # Solutions run only after the answer's last call, because their running time could reveal their results to it.
        for verdict, dependencies in postponed:
            if dependencies:
                self._explain(task, verdict, Cost.SOLUTIONS, budget, dependencies)
            yield verdict

    def locate_mistake(self, task: Task, verdict: ExerciseVerdict, budget: Budget) -> bool:
        """Search for the line of an unknown mistake. Return whether the explanation has changed."""
        explanation = verdict.explanation
        if verdict.outcome not in ("wrong", "raised") or budget.seconds_left <= 0:
            return False
        start = time.monotonic()
        self._explain(task, verdict, Cost.SEARCH, Budget(budget.seconds_left))
        budget.charge(time.monotonic() - start)
        return verdict.explanation is not explanation

    def _explain(
        self, task: Task, verdict: ExerciseVerdict, up_to: Cost, budget: Budget, dependencies: tuple[str, ...] = ()
    ) -> None:
        from autograder.judging.explain.case import CaseWithTask  # noqa: PLC0415  (imports pytest)
        from autograder.judging.explain.pipeline import run_explainers  # noqa: PLC0415

        exercise = task.chapter.get_exercise(verdict.exercise)
        run_explainers(CaseWithTask(exercise, verdict, budget, task, self.judge.suites, dependencies), up_to)


def _find_dependencies(task: Task, exercise: Exercise, verdict: ExerciseVerdict, passed: set[str]) -> tuple[str, ...]:
    """Return the earlier exercises that a wrong exercise calls, except for those in `passed`."""
    if verdict.outcome not in ("wrong", "raised") or exercise.seconds is not None:
        return ()
    called_names, names = task.answer.find_used_names(exercise.name) - passed, task.chapter.names
    earlier_names = names[: names.index(exercise.name)]
    return tuple(name for name in earlier_names if name in called_names and name in task.answer.definitions)
