"""Grades what was handed in and enters it into the gradebook: many submissions at a time, each in one process."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from rich.console import Console

from autograder.boundary import sandbox
from autograder.chapters.errors import CourseError, KitFault, sentence_of
from autograder.chapters.files import file_lock
from autograder.classroom.course.course import Course, course_in
from autograder.classroom.gradebook.calls import StepFailed
from autograder.classroom.inbox.handed import recover
from autograder.classroom.marking import steps
from autograder.classroom.marking.changes import append_changes, find_changes, scale_points_by_hand
from autograder.classroom.marking.judge import Judged, judge_notebook
from autograder.classroom.marking.submissions import (
    FAULTED,
    GRADED,
    KEPT,
    REFUSED,
    Submission,
    find_submissions,
    is_up_to_date,
)
from autograder.classroom.marking.verdicts import read_verdicts
from autograder.grading.executors import grade_pieces
from autograder.grading.many import progress_bar

TRIES = 3  # where another process, or another program such as Formgrader, was in the way
IN_THE_WAY = ("database is locked", "UNIQUE constraint", "duplicate key")  # SQLite, SQLite, PostgreSQL


def grade_submission(folder: str, submission: Submission, enters: bool = True) -> dict[str, Any]:
    """Judge the notebooks of a submission and enter what is found. Runs in whatever process an executor chooses.

    Gives the ``path``, the ``exercises`` of all notebooks as in docs/records.md, the ``submission`` as it is then.
    """
    submission = replace(submission, problems=list(submission.problems), changes=[])  # there may be a second try
    course = course_in(Path(folder))
    places = submission.places(course.folder)
    before = [read_verdicts(course.folder, place) for place in places]
    judged = [judge_notebook(course, place, submission.notebooks[place.chapter]) for place in places]
    judged = [
        (notebook, replace(judgement, line=submission.complete(judgement.line))) for notebook, judgement in judged
    ]
    lines = [judgement.line for _, judgement in judged]
    paths = [str(course.folder / place.path) for place in places]
    pairs = list(zip(before, lines, strict=True))
    if enters:
        _enter(course, submission, dict(zip(paths, judged, strict=True)))
    if submission.status == GRADED:
        scale_points_by_hand(course, submission, pairs)
    if submission.status == GRADED or not enters:
        submission.changes = find_changes(course, submission, pairs)
    exercises = [exercise for line in lines for exercise in line["exercises"]]
    return {"path": submission.path, "exercises": exercises, "submission": submission}


def grade_course(
    course: Course, assignments: list[str], again: bool, make_executor: Callable, console: Console
) -> list[Submission]:
    """Grade every submission that is new or has changed, or all of them again, and enter it into the gradebook.

    One that cannot be graded says why, and never stops the others.
    """
    with _as_only_run(course):
        course.write_due_dates()
        submissions = find_submissions(course, assignments)
        _judge_all(course, _to_grade(course, submissions, again), make_executor, console)
        return submissions


def preview_course(
    course: Course, assignments: list[str], again: bool, make_executor: Callable, console: Console
) -> list[Submission]:
    """Those whom `grade_course` would grade, with what would change; nothing is entered anywhere."""
    with _as_only_run(course):
        todo = _to_grade(course, find_submissions(course, assignments), again)
        _judge_all(course, todo, make_executor, console, enters=False)
        return todo


def _to_grade(course: Course, submissions: list[Submission], again: bool) -> list[Submission]:
    return [
        submission
        for submission in submissions
        if submission.status == KEPT and (again or not is_up_to_date(course, submission))
    ]


@contextlib.contextmanager
def _as_only_run(course: Course) -> Iterator[None]:
    """Two runs would remove what the other one has just written."""
    sandbox.require(course.config.GradeAnswers.get("no_sandbox", False))
    busy = CourseError(f"{course.folder} is being graded by another run: wait for it to end")
    with file_lock(course.folder / ".grading.lock", busy=busy):
        recover(course.folder)
        yield


def _judge_all(
    course: Course, todo: list[Submission], make_executor: Callable, console: Console, enters: bool = True
) -> None:
    pending = {submission.path: submission for submission in todo}
    with progress_bar(console, "grading", len(todo)) as advance:

        def finished(line: dict[str, Any]) -> None:
            submission, graded = pending.pop(line["path"]), line["submission"]
            submission.status, submission.problems = graded.status, graded.problems
            submission.changes = graded.changes
            if graded.changes and enters:
                append_changes(course.folder, graded)
            advance()

        work = functools.partial(grade_submission, str(course.folder), enters=enters)
        try:
            failed = grade_pieces(iter(todo), work, functools.partial(make_executor, len(todo)), finished)
        except KitFault as fault:
            failed = [(submission, fault) for submission in pending.values()]
        for submission, failure in failed:
            sentence = f"not graded, through no fault of the learner: {sentence_of(failure)}"
            submission.failed(FAULTED, sentence)


def _enter(course: Course, submission: Submission, judged: dict[str, tuple[NotebookNode, Judged]]) -> None:
    """Let nbgrader grade the submission, with what has been found about it: path of a notebook -> `judge_notebook`."""
    submission.add_problems_of(judgement.line for _, judgement in judged.values())
    if submission.new_extension is not None:
        with course.gradebook() as gradebook:
            columns: dict[str, Any] = {"extension": submission.new_extension or None}
            gradebook.update_or_create_submission(submission.assignment, submission.student, **columns)
    for tries_left in reversed(range(TRIES)):
        try:
            steps.autograde(course, submission.assignment, submission.student, judged)
        except StepFailed as failed:
            is_ours = any(reason in failed.log for reason in IN_THE_WAY)
            if is_ours and tries_left:
                continue
            submission.failed(FAULTED if is_ours else REFUSED, str(failed))
        else:
            submission.status = GRADED
        return
