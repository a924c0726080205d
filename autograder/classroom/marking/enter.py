"""Enters the results of a submission into nbgrader's gradebook, through its own API."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader import api
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy.orm import undefer

from autograder.chapters.files import remove, swap_folder, write_whole
from autograder.classroom.course.course import Course
from autograder.classroom.course.deadlines import Arrival
from autograder.classroom.course.plan import FULL
from autograder.classroom.course.times import naive_utc
from autograder.classroom.gradebook.queries import Grade, Read, Work, works
from autograder.classroom.marking.judge import Judged
from autograder.classroom.release.changes import Change
from autograder.classroom.roster.groups import Counted, read_counted


def entered(read: Read, assignment: str, student: str) -> Work | None:
    """Return the gradebook's data of all notebooks of a submission, as of one."""
    notebooks = works(read, assignment, student).get(student, {}).values()
    grades = {name: grade for notebook in notebooks for name, grade in notebook.grades.items()}
    return Work(sum(notebook.penalty for notebook in notebooks), grades) if notebooks else None


def changes_between(was: Work, now: Work, why: str) -> Iterator[Change]:
    """Yield the changes in points that count; 0 points of a smaller maximum are not a change."""
    for name, cell in now.grades.items():
        old = was.grades.get(name, Grade())
        is_other = (old.score, old.worth) != (cell.score, cell.worth)
        if old.is_known and cell.is_known and (cell.score or old.score) and is_other:
            yield Change(name, round(old.score, 4), round(cell.score, 4), cell.worth, why)
    if abs(was.penalty - now.penalty) > 0.005:
        worth = sum(cell.worth for cell in now.grades.values())
        yield Change("penalty", was.penalty, now.penalty, worth, why)
        yield Change("total", round(was.counts, 2), round(now.counts, 2), worth, why)


def enter(gradebook: api.Gradebook, course: Course, student: str, arrival: Arrival, found: dict[str, Judged]) -> None:
    """Enter time, extension, points, comments and penalty; changed work that a person graded waits for them again."""
    assignment, waived = arrival.planned.name, arrival.planned.waived
    counted = read_counted(course.folder, assignment).get(student)
    gradebook.update_or_create_student(student)
    submission: Any = gradebook.update_or_create_submission(assignment, student)
    submission.timestamp = arrival.time
    due = submission.assignment.duedate
    submission.extension = (naive_utc(arrival.until) - due or None) if due and arrival.until else None
    notebooks = [each for each in submission.notebooks if each.name in found]
    for notebook in notebooks:
        judged = found[notebook.name]
        for name, grade in _of_cells(gradebook, notebook, api.Grade):
            if counted and name in counted.waived:  # as it was before, whatever it is now
                grade.auto_score, (grade.manual_score, _) = None, counted.by_hand.get(name, (None, 0))
            if counted and name in counted.by_hand:
                _keep_share(grade, *counted.by_hand[name])
            if name in judged.points:
                _set_points(grade, judged.points[name], name in judged.unchanged)
            if name in waived:
                grade.auto_score = grade.max_score if waived[name] == FULL else 0.0
                grade.manual_score, grade.needs_manual_grade = None, False  # it is in `Counted.by_hand` by now
        for name, comment in _of_cells(gradebook, notebook, api.Comment):
            comment.auto_comment = "No response." if name in judged.untouched else None
    gradebook.db.flush()
    penalise(gradebook, course, student, arrival, notebooks)


def _of_cells(gradebook: api.Gradebook, notebook: Any, kind: type[Any]) -> list[Any]:
    """Return cells' names and nbgrader's objects of this kind, in one query."""
    query = gradebook.db.query(api.BaseCell.name, kind).join(kind, kind.cell_id == api.BaseCell.id)
    return query.filter(kind.notebook_id == notebook.id).options(undefer("*")).all()


def _keep_share(grade: Any, given: float, worth: float) -> None:
    """Scale points by hand that nobody has changed since the exercise had another maximum."""
    if grade.manual_score == given and grade.max_score != worth and worth:
        grade.manual_score = round(given * grade.max_score / worth, 2)


def _set_points(grade: Any, points: float | None, is_unchanged: bool) -> None:
    if points is None and grade.auto_score is not None:
        grade.needs_manual_grade = True  # earlier points stay
        return
    was_read = grade.manual_score is not None and not grade.needs_manual_grade
    stays = was_read and is_unchanged and grade.auto_score == points
    grade.auto_score = points
    grade.needs_manual_grade = not stays and (grade.manual_score is not None or points is None)


def penalise(gradebook: api.Gradebook, course: Course, student: str, arrival: Arrival, notebooks: list[Any]) -> None:
    """Apply the teacher's late policy; within the grace period there is no penalty."""
    seconds = (arrival.late or arrival.planned.grace * 0).total_seconds()
    step: Any = AssignLatePenalties(config=course.config)
    step.init_plugin()
    for notebook in notebooks:
        gradebook.db.expire(notebook)
        score = notebook.score
        taken = step.plugin_inst.late_submission_penalty(student, score, seconds) if seconds > 0 else None
        notebook.late_submission_penalty = None if taken is None else min(max(0, taken), score)
    gradebook.db.flush()


def by_hand_of(read: Read, assignment: str, student: str) -> dict[str, tuple[float, float]]:
    found = entered(read, assignment, student)
    grades = found.grades if found else {}
    return {name: (grade.manual, grade.worth) for name, grade in grades.items() if grade.manual is not None}


def counted_of(read: Read, students: tuple[str, ...], arrival: Arrival, was: Counted | None) -> Counted:
    waived = arrival.planned.waived
    by_hand = {name: given for name, given in was.by_hand.items() if name in waived} if was else {}
    by_hand |= by_hand_of(read, arrival.planned.name, students[0])
    return Counted(
        students=students,
        time=f"{arrival.time} UTC" if arrival.time else "",
        due=arrival.planned.due.isoformat() if arrival.planned.due else "",
        until=arrival.until.isoformat() if arrival.until else "",
        grace=arrival.planned.grace.total_seconds(),
        late=None if arrival.late is None else arrival.late.total_seconds(),
        by_hand=by_hand,
        waived=waived,
    )


def lay_out(course: Course, assignment: str, student: str, found: dict[str, Judged]) -> None:
    """Write what nbgrader keeps as autograded, atomically: the notebooks and the other files."""
    place = course.folder_of("autograded", student, assignment)
    new = place.with_name(f".{assignment}.new")
    remove(new)
    new.mkdir(parents=True)
    _copy_files(course.folder_of("submitted", student, assignment), new)
    _copy_files(course.folder / "source" / assignment, new)  # the given files, as they were handed out
    for chapter, judged in found.items():
        write_whole(new / f"{chapter}.ipynb", judged.notebook)
    remove(swap_folder(new, place))


def _copy_files(source: Path, target: Path) -> None:
    """Copy plain files except notebooks; links are left out, as their targets were not submitted."""
    for top, folders, names in os.walk(source):
        folders[:] = [name for name in folders if not os.path.islink(os.path.join(top, name))]
        for name in names:
            path = Path(top, name)
            if path.suffix != ".ipynb" and path.is_file() and not path.is_symlink():
                place = target / path.relative_to(source)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, place)
