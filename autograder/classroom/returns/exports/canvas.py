"""A gradebook that Canvas exported, with the scores filled in.

Canvas looks students up by ID, then by SIS User ID and SIS Login ID. Its header is Student, ID, SIS User ID, SIS Login
ID, Section and the assignments, each as "title (id)"; a row "Points Possible" stands above the students. The source is
Canvas's guide "How do I import grades in the Gradebook?" and its importer, lib/gradebook_importer.rb.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.chapters.errors import CourseError
from autograder.classroom.returns.exports.fill import fill, match, require_same_maximum, strangers
from autograder.classroom.returns.exports.scores import number, read_scores
from autograder.classroom.roster.table import read_table, write_table

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


_KEYS = ("SIS Login ID", "SIS User ID", "Email")  # the surest first
_POSSIBLE = "Points Possible"


def export(course: Course, roster: Path, path: Path, assignment: str | None = None):
    """Write what Canvas may import: its own columns up to Section, and ours; the sentences for the teacher.

    Other columns are left out, so that the import cannot set them back to what they were at the download.

    `roster`: the gradebook that Canvas exported.
    `assignment`: all of them where none is given.
    `CourseError` where the roster is no export of Canvas, or none of its students is in the gradebook.
    """
    table = read_table(roster)
    if len(table.columns(("ID", "Section"))) < 2 or table.header[0] not in ("Student", "LastName"):
        raise CourseError(
            f"{roster} is no gradebook of Canvas: it needs the columns Student, ID, SIS Login ID and Section. "
            "In Canvas: Grades > Export > Export Entire Gradebook"
        )
    assignments = read_scores(course, assignment)
    own = table.column("Section") + 1
    heading = next((at for at, row in enumerate(table.rows) if _POSSIBLE in row[0]), None)
    first = 0 if heading is None else heading + 1
    people = {at: row[0] for at, row in enumerate(table.rows) if at >= first}
    matched = _matched(table, first, assignments[0].scores)
    if not matched:
        raise CourseError(
            f"none of the students in {roster} is in the gradebook of {course.folder}: "
            "nbgrader's student ids or e-mail addresses have to be what Canvas calls SIS Login ID, SIS User ID or ID"
        )
    notes, columns = [*table.notes], []
    for each in assignments:
        columns.append(_fillable_column(table, each, heading, notes))
        notes += fill(table, columns[-1], each, matched)
    kept = [*range(own), *columns]
    table.header = [table.header[at] for at in kept]
    table.rows = [[row[at] for at in kept] for row in table.rows]
    write_table(path, table)
    return [*notes, *strangers(table, people, matched)]


def _matched(table, first, students):
    """Number of a row -> the student in it, from the first row that holds one."""
    rows = table.rows[first:]
    # An ID is a number of Canvas's own. Beside other keys it could hit another student's number by chance.
    found = match(rows, table.columns(_KEYS), students) or match(rows, table.columns(["ID"]), students)
    return {first + at: student for at, student in found.items()}


def _fillable_column(table, assignment, heading, notes):
    """The number of an assignment's column, which is added where Canvas does not know it yet."""
    column = _column_of(assignment.name, table.header)
    if column is not None:
        if heading is not None:
            require_same_maximum(assignment, table.rows[heading][column], "Canvas")
        return column
    notes.append(f"{assignment.name}: not in {table.path.name}; Canvas will ask whether it is a new assignment.")
    table.header.append(assignment.name)
    for at, row in enumerate(table.rows):
        row.append(number(assignment.max_points) if at == heading else "")
    return len(table.header) - 1


def _column_of(name, header):
    """The column of an assignment, whose title Canvas follows with its number in parentheses."""
    titles = [re.sub(r"\s\(\d+\)$", "", title).casefold() for title in header]
    return titles.index(name.casefold()) if name.casefold() in titles else None
