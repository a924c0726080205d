"""Where a learner is, and which exercise comes first: the same for every command and for `attn watch`."""

from collections.abc import Collection, Sequence

from autograder.chapters.chapter import Exercise
from autograder.chapters.tasks import Task
from autograder.worker.reading.reach import statements_of

HERE = "(here)"  # under this name, which is no exercise's, the progress keeps where the learner is


def next_open(exercises: Sequence[Exercise], done: Collection[str], here: str | None = None) -> Exercise | None:
    """The exercise to work on: this one, or the next that is not done; after the last comes the first."""
    at = next((number for number, exercise in enumerate(exercises) if exercise.name == here), 0)
    return next((each for each in (*exercises[at:], *exercises[:at]) if each.name not in done), None)


def first_cause(exercise: Exercise, task: Task, done: Collection[str]) -> Exercise:
    """The first exercise, in the order of the chapter, that this one uses and that is not done: itself, perhaps.

    A mistake in `softmax` breaks what calls it: the mistake is looked for in `softmax`.
    """
    reached = statements_of(task.answer).names_reached(exercise.name)
    used = (each for each in task.chapter.exercises if each.name in reached and each.name not in done)
    return next(used, exercise)
