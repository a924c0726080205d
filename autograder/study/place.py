"""Where a learner is, and which exercise comes first: the same for every command and for `attn watch`."""

from autograder.worker.reading.reach import statements_of

HERE = "(here)"  # under this name, which is no exercise's, the progress keeps where the learner is


def next_open(exercises, done, here=None):
    """The exercise to work on: this one, or the next that is not done; after the last comes the first.

    Parameters
    ----------
    exercises : sequence of autograder.chapters.chapter.Exercise
    done : collection of str
    here : str, optional
        Where the learner is; the beginning where it is none of them.

    Returns
    -------
    autograder.chapters.chapter.Exercise or None
        None where all are done.
    """
    at = next((number for number, exercise in enumerate(exercises) if exercise.name == here), 0)
    return next((each for each in (*exercises[at:], *exercises[:at]) if each.name not in done), None)


def first_cause(exercise, task, done):
    """The first exercise, in the order of the chapter, that this one uses and that is not done: itself, perhaps.

    A mistake in `softmax` breaks what calls it: the mistake is looked for in `softmax`.

    Parameters
    ----------
    exercise : autograder.chapters.chapter.Exercise
    task : autograder.chapters.tasks.Task
        What the learner's file holds.
    done : collection of str
    """
    reached = statements_of(task.answer).names_reached(exercise.name)
    used = (each for each in task.chapter.exercises if each.name in reached and each.name not in done)
    return next(used, exercise)
