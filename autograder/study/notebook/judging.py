"""Judges what a notebook holds, where all answers are judged: in a worker."""

import contextlib
import warnings
from collections.abc import Collection, Iterable, Iterator

import numpy as np
from IPython.core.interactiveshell import InteractiveShell

from autograder.boundary.channel import close_zygotes, zygote_for
from autograder.chapters.answers import Task
from autograder.chapters.chapter import Chapter
from autograder.chapters.curriculum import SELF_STUDY
from autograder.judging.budget import Budget
from autograder.judging.grader import LOCATE_SECONDS, Grader
from autograder.judging.run.kit_code import forget_files
from autograder.study.folder import Judged
from autograder.study.notebook.history import executed_answer


def tasks_here(shell: InteractiveShell, chapters: Iterable[Chapter], only: Collection[str] | None) -> list[Task]:
    """What there is to grade: exercises that the notebook defines now, of those named; None means all."""
    tasks = []
    for chapter in chapters:
        names = defined_in(shell, chapter)
        if not names:
            continue
        inputs = shell.history_manager.input_hist_parsed if shell.history_manager else ()
        answer = executed_answer(inputs, names, shell.transform_cell)
        exercises = [
            exercise
            for exercise in chapter.exercises
            if exercise.name in answer.definitions and (only is None or exercise.name in only)
        ]
        if exercises:
            tasks.append(Task(answer, chapter, tuple(exercises)))
    return tasks


def verdicts_on(tasks: list[Task]) -> list[Judged]:
    verdicts: list[Judged] = []
    with _our_own_settings():
        for task in tasks:
            zygote_for(task.libraries)  # starts while the grader imports pytest
            verdicts += ((task, verdict.carry_forward()) for verdict in _grader(task).grade(task))
    return verdicts


def with_lines(verdicts: list[Judged]) -> list[Judged]:
    """Those of the pairs whose mistake is in a line that is found; it stands in the verdict then."""
    budget = Budget(LOCATE_SECONDS)
    with _our_own_settings():
        return [(task, verdict) for task, verdict in verdicts if _grader(task).explain_line(task, verdict, budget)]


def give_up() -> None:
    """After an interrupt: a reply may be half read."""
    forget_files()
    close_zygotes()


def defined_in(shell: InteractiveShell, chapter: Chapter) -> list[str]:
    return [name for name in chapter.names if callable(shell.user_ns.get(name))]


def _grader(task: Task) -> Grader:
    return Grader.of(task.chapter.name, SELF_STUDY, True)


@contextlib.contextmanager
def _our_own_settings() -> Iterator[None]:
    with np.errstate(all="warn"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
