"""Finds out whether an exercise is only wrong because of others that it calls: it passes with their solutions."""

from collections.abc import Collection

from autograder.chapters.answers import Task
from autograder.chapters.chapter import Exercise
from autograder.judging.explain.case import CaseWithTask
from autograder.judging.run.variant import Variant
from autograder.judging.verdict.finding import Explanation, Kind


def dependencies_of(task: Task, exercise: Exercise, right: Collection[str]) -> tuple[str, ...]:
    """Return the exercises above it in the chapter that it calls and that are not known to be correct."""
    chapter, reached = task.chapter, task.answer.names_reached(exercise.name)
    names = chapter.names[: chapter.names.index(exercise.name)]
    return tuple(name for name in names if name in reached.difference(right) and name in task.answer.definitions)


def blame_dependencies(case: CaseWithTask) -> Explanation | None:
    """Return that an exercise is correct except for others that it calls, if it passes with their solutions."""
    blamed = case.dependencies
    if not (blamed and _passes_with(blamed, case)):
        return None
    for name in case.dependencies:  # if fewer of their solutions suffice, only those are blamed
        others = tuple(other for other in blamed if other != name)
        if others and _passes_with(others, case):
            blamed = others
    names, those = " and ".join(blamed), "those" if len(blamed) > 1 else "that"
    sentence = f"{case.exercise.name} is correct except for {names}, which it calls: repair {those} first."
    return Explanation(Kind.DEPENDENCY, sentence, dependencies=blamed)


def _passes_with(names: tuple[str, ...], case: CaseWithTask) -> bool:
    return Variant.with_solutions(case.task, names).passes(case.exercise, case.suites, case.budget)
