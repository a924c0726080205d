"""Finds out whether an exercise is right but for another one that it calls: it passes with that one's solution then."""

from collections.abc import Collection

from autograder.chapters.answers import Task
from autograder.chapters.chapter import Exercise
from autograder.judging.explain.case import Submitted
from autograder.judging.run.variant import Variant
from autograder.judging.verdict.finding import Explanation, Kind


def dependencies_of(task: Task, exercise: Exercise, right: Collection[str]) -> tuple[str, ...]:
    """The exercises that one calls and that are not known to be right: those of the same chapter above it."""
    chapter, reached = task.chapter, task.answer.names_reached(exercise.name)
    names = chapter.names[: chapter.names.index(exercise.name)]
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
    return Variant.with_solutions(case.task, names).passes(case.exercise, case.suites, case.budget)
