"""Functions that enter the results of a submission into the gradebook, through nbgrader's API."""

import contextlib
import shutil
from collections.abc import Iterator
from typing import Any

from nbgrader import api
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy.orm import undefer

from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import read_plain, remove, swap_folder, write_file
from autograder.classroom.course.course import Course
from autograder.classroom.course.deadlines import Arrival
from autograder.classroom.course.plan import FULL
from autograder.classroom.course.times import to_naive_utc
from autograder.classroom.gradebook.queries import Grade, GradedWork
from autograder.classroom.inbox.handed import MAX_MARKER_BYTES, NOT_WORK
from autograder.classroom.marking.judge import JudgedWork
from autograder.classroom.roster.changes import ChangedNumber
from autograder.classroom.roster.counted import CountedWork, read_counted


def find_changes(old_work: GradedWork, new_work: GradedWork, reason: str) -> Iterator[ChangedNumber]:
    """Yield the changes of points and penalty between two gradings. If a score stays 0, its maximum is ignored."""
    for name, cell in new_work.grades.items():
        old = old_work.grades.get(name, Grade())
        has_changed = (old.score, old.max_score) != (cell.score, cell.max_score)
        if old.is_known and cell.is_known and (cell.score or old.score) and has_changed:
            yield ChangedNumber(name, round(old.score, 4), round(cell.score, 4), cell.max_score, reason)
    if abs(old_work.penalty - new_work.penalty) > 0.005:
        maximum = sum(cell.max_score for cell in new_work.grades.values())
        yield ChangedNumber("penalty", old_work.penalty, new_work.penalty, maximum, reason)
        yield ChangedNumber("total", round(old_work.final_score, 2), round(new_work.final_score, 2), maximum, reason)


def enter_results(
    gradebook: api.Gradebook, course: Course, student: str, arrival: Arrival, judged_notebooks: dict[str, JudgedWork]
) -> None:
    """Enter the time, extension, points, comments and penalty of a submission into the gradebook."""
    assignment, waivers = arrival.assignment.name, arrival.assignment.waived
    record = read_counted(course.folder, assignment).get(student)
    gradebook.update_or_create_student(student)
    submission: Any = gradebook.update_or_create_submission(assignment, student)
    submission.timestamp = arrival.time
    due = submission.assignment.duedate
    submission.extension = (to_naive_utc(arrival.until) - due or None) if due and arrival.until else None
    notebooks = [each for each in submission.notebooks if each.name in judged_notebooks]
    for notebook in notebooks:
        result = judged_notebooks[notebook.name]
        for name, grade in _map_rows_by_name(gradebook, notebook, api.Grade):
            # Restore the manual score of a cell that was waived. If it is still waived, it is overwritten below.
            if record and name in record.waived:
                grade.auto_score, (grade.manual_score, _) = None, record.by_hand.get(name, (None, 0))
            if record and name in record.by_hand:
                _scale_points_by_hand(grade, *record.by_hand[name])
            if name in result.points:
                _set_points(grade, result.points[name], name in result.unchanged)
            if name in waivers:
                grade.auto_score = grade.max_score if waivers[name] == FULL else 0.0
                # Manual scores have already been saved in `CountedWork.by_hand`.
                grade.manual_score, grade.needs_manual_grade = None, False
        for name, comment in _map_rows_by_name(gradebook, notebook, api.Comment):
            comment.auto_comment = "No response." if name in result.untouched else None
    gradebook.db.flush()
    _enter_penalties(gradebook, course, student, arrival, notebooks)


def _map_rows_by_name(gradebook: api.Gradebook, notebook: Any, kind: type[Any]) -> list[Any]:
    """Return (name of the cell, row) of all grades or comments of a notebook, with a single query."""
    query = gradebook.db.query(api.BaseCell.name, kind).join(kind, kind.cell_id == api.BaseCell.id)
    return query.filter(kind.notebook_id == notebook.id).options(undefer("*")).all()


def _scale_points_by_hand(grade: Any, points_given: float, max_points: float) -> None:
    """Scale a manual score to a new maximum, unless a person has changed it since the last grading."""
    if grade.manual_score == points_given and grade.max_score != max_points and max_points:
        grade.manual_score = round(points_given * grade.max_score / max_points, 2)


def _set_points(grade: Any, points: float | None, is_unchanged: bool) -> None:
    """Set the points of tests. Request manual grading if a manual score is outdated or, without points, missing."""
    if points is None and grade.auto_score is not None:
        grade.needs_manual_grade = True
        return
    was_graded = grade.manual_score is not None and not grade.needs_manual_grade
    keeps_grade = was_graded and is_unchanged and grade.auto_score == points
    grade.auto_score = points
    grade.needs_manual_grade = not keeps_grade and (grade.manual_score is not None or points is None)


def _enter_penalties(
    gradebook: api.Gradebook, course: Course, student: str, arrival: Arrival, notebooks: list[Any]
) -> None:
    seconds = (arrival.delay or arrival.assignment.grace * 0).total_seconds()
    step: Any = AssignLatePenalties(config=course.config)
    step.init_plugin()
    for notebook in notebooks:
        gradebook.db.expire(notebook)
        score = notebook.score
        penalty = step.plugin_inst.late_submission_penalty(student, score, seconds) if seconds > 0 else None
        notebook.late_submission_penalty = None if penalty is None else min(max(0, penalty), score)
    gradebook.db.flush()


def make_counted(
    work: GradedWork, students: tuple[str, ...], arrival: Arrival, old_record: CountedWork | None
) -> CountedWork:
    """Return the record of a submission that was just entered. `old_record`: its earlier record, or None."""
    waivers = arrival.assignment.waived
    by_hand = {name: points for name, points in old_record.by_hand.items() if name in waivers} if old_record else {}
    by_hand |= work.points_by_hand
    deadline = arrival.until.isoformat() if arrival.until else ""
    delay = None if arrival.delay is None else arrival.delay.total_seconds()
    return CountedWork(students, deadline, delay, by_hand, waivers)


def write_autograded(course: Course, assignment: str, student: str, judged_notebooks: dict[str, JudgedWork]) -> None:
    """Write nbgrader's folder `autograded`, atomically: the graded notebooks, the given files and nbgrader's marks."""
    folder, submitted = (course.folder_of(step, student, assignment) for step in ("autograded", "submitted"))
    new = folder.with_name(f".{assignment}.new")
    remove(new)
    new.mkdir(parents=True)
    if (source := course.folder / "source" / assignment).is_dir():
        shutil.copytree(source, new, ignore=shutil.ignore_patterns("*.ipynb", ".ipynb_checkpoints"), dirs_exist_ok=True)
    for name in NOT_WORK:
        with contextlib.suppress(UnreadableAnswer):
            write_file(new / name, read_plain(submitted / name, MAX_MARKER_BYTES))
    for chapter, result in judged_notebooks.items():
        write_file(new / f"{chapter}.ipynb", result.notebook)
    remove(swap_folder(new, folder))
