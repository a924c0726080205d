"""Scores for Moodle: filled into an assignment's grading worksheet, or as a file for the gradebook's import.

The worksheet is what *Download grading worksheet* gives: Identifier ("Participant 123"), Full name, Email address,
Status, Grade, Maximum Grade, Grade can be changed, Last modified (grade), and more. Moodle reads it as UTF-8 with
commas, takes Identifier, Grade and Last modified (grade) from it, and skips a grade above the maximum without a word.
Sources: docs.moodle.org, "Assignment settings" and "Grade import"; mod/assign/feedback/offline of Moodle.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from autograder.chapters.errors import CourseError
from autograder.classroom.inbox.owners import read_origins
from autograder.classroom.returns.exports.fill import fill, match, require_same_maximum, strangers
from autograder.classroom.returns.exports.scores import listed, number, read_scores
from autograder.classroom.roster.table import Table, read_table, write_table

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


_NEEDED = ("Identifier", "Grade", "Last modified (grade)")
_KEYS = ("Email address", "Username", "ID number")


def fill_worksheet(course: Course, roster: Path, path: Path, assignment: str | None = None):
    """Write the worksheet with its column Grade filled in; the sentences for the teacher.

    `roster`: the worksheet that Moodle gave.
    `assignment`: may be left out where one assignment only has been graded.
    `CourseError` where the roster is no worksheet, or not one of this assignment, or none of its students is in the
        gradebook.
    """
    table = read_table(roster)
    if len(table.columns(_NEEDED)) < len(_NEEDED):
        raise CourseError(
            f"{roster} is no grading worksheet: it needs the columns {', '.join(_NEEDED)}. In Moodle, with English as "
            "your language: the assignment's submissions > Download grading worksheet"
        )
    assignments = read_scores(course, assignment)
    if len(assignments) > 1:
        names = ", ".join(each.name for each in assignments)
        raise CourseError(f"a worksheet is for one assignment: name it with --assignment ({names})")
    scores = assignments[0]
    identifier, grade, maximum, name = (
        table.column(each) for each in ("Identifier", "Grade", "Maximum Grade", "Full name")
    )
    people = {at: row[identifier if name is None else name] for at, row in enumerate(table.rows)}
    if maximum is not None and table.rows:
        require_same_maximum(scores, table.rows[0][maximum], "Moodle")
    matched = _matched(course, table, scores, [row[identifier].rpartition(" ")[2] for row in table.rows])
    if not matched:
        raise CourseError(
            f"none of the students in {roster} is in the gradebook of {course.folder}: nbgrader's student ids or "
            "e-mail addresses have to be Moodle's e-mail addresses, user names, id numbers or participants' numbers"
        )
    notes = [*table.notes, *fill(table, grade, scores, matched), *strangers(table, people, matched)]
    write_table(path, table)
    return [*notes, *_skipped(table, scores, matched)]


def _matched(course, table, scores, numbers):
    """Number of a row -> the student in it."""
    matched = match(table.rows, table.columns(_KEYS), scores.scores)
    matched |= _by_number(course, scores, numbers, matched) or {}
    # A number that nothing was collected under may be nbgrader's student id, where nothing else matches anybody.
    return matched or match([[number] for number in numbers], [0], scores.scores)


def _by_number(course, scores, numbers, matched):
    """Row -> student, of those whose work came from Moodle's zip file of this assignment under the row's number."""
    origins, known = read_origins(course, scores.name), {each.student for each in scores.scores} - {*matched.values()}
    students = {
        origin["prefix"].split("_assignsubmission_")[0].rpartition("_")[2]: student
        for student, origin in origins.items()
        if student in known and origin["platform"] == "moodle"
    }
    return {at: students[number] for at, number in enumerate(numbers) if at not in matched and number in students}


def _skipped(table, scores, matched):
    """Sentences on the grades that Moodle will not take and not tell."""
    points = {each.student: each.points or 0 for each in scores.scores}
    above = [student for student in matched.values() if points[student] > scores.max_points]
    changeable = table.column("Grade can be changed")
    locked = [matched[at] for at in matched if changeable is not None and table.rows[at][changeable] == "No"]
    if above:
        yield f"Above the maximum grade, so Moodle will skip them: {listed(above)}."
    if locked:
        yield f"Locked in Moodle's gradebook, so Moodle will skip them: {listed(locked)}."


def write_import(course: Course, path: Path, assignment: str | None = None):
    """Write a file for Moodle's grade import, students by id and e-mail address; the sentences for the teacher.

    `assignment`: all of them where none is given.
    """
    assignments = read_scores(course, assignment)
    header = ["ID number", "Full name", "Email address", *(each.name for each in assignments)]
    rows = []
    for same in zip(*(each.scores for each in assignments), strict=True):
        points = ["" if score.points is None else number(score.points) for score in same]
        if any(points):
            rows.append([same[0].student, same[0].name, same[0].email, *points])
    notes = [note for each in assignments for note in each.notes()]
    if addressless := sum(not row[2] for row in rows):
        notes.append(
            f"{addressless} of {len(rows)} students without an e-mail address in nbgrader: map ID number instead."
        )
    write_table(path, Table(None, header, rows))
    return notes
