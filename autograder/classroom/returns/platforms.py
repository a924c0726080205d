"""The tables of Canvas and Moodle, filled with scores.

Canvas looks students up by ID, then by SIS User ID and SIS Login ID; assignments are columns such as "title (id)", and
a row "Points Possible" is above the students (Canvas: lib/gradebook_importer.rb). From its worksheet, Moodle reads
Identifier ("Participant 123"), Grade and Last modified (grade), as UTF-8 with commas, and silently skips a grade above
the maximum (Moodle: mod/assign/feedback/offline).
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.text import join_names
from autograder.classroom.course.course import Course
from autograder.classroom.inbox.owners import read_origins
from autograder.classroom.returns.scores import AssignmentScores, format_points, read_scores
from autograder.classroom.roster.people import People
from autograder.classroom.roster.table import CsvTable, read_table, write_table

POSSIBLE = "Points Possible"


@dataclass(frozen=True)
class PlatformTable:
    """A table that a platform exports, and imports again with scores."""

    name: str
    table: str  # the platform's name for the table
    menu: str  # the platform's menu in which to export it
    required: tuple[str, ...]  # columns without which the table is refused
    people: tuple[str, ...]  # columns with names of students, the best one first
    keys: tuple[str, ...]  # columns with student IDs or e-mail addresses, the most reliable one first
    # Column of the platform's number for a student, used only if no key matches, because it could equal another's ID.
    number: str
    grade: str = ""  # column of the scores; empty if each assignment has a column with its name
    maximum: str = ""  # column of the maxima; empty if they are in a row
    # The last column to keep before the scores, so that the import resets nothing else; empty to keep all.
    last: str = ""
    # The text after a student's number in the names of downloaded files.
    file_mark: str = ""
    # Column that says whether the platform accepts a grade; empty if it accepts all.
    locks: str = ""


CANVAS = PlatformTable(
    name="Canvas",
    table="gradebook of Canvas",
    menu="In Canvas: Grades > Export > Export Entire Gradebook",
    required=("ID", "Section"),
    people=("Student", "LastName"),
    keys=("SIS Login ID", "SIS User ID", "Email"),
    number="ID",
    last="Section",
)
MOODLE = PlatformTable(
    name="Moodle",
    table="grading worksheet",
    menu="In Moodle, with English as your language: the assignment's submissions > Download grading worksheet",
    required=("Identifier", "Grade", "Last modified (grade)"),
    people=("Full name", "Identifier"),
    keys=("Email address", "Username", "ID number"),
    number="Identifier",
    grade="Grade",
    maximum="Maximum Grade",
    file_mark="_assignsubmission_",
    locks="Grade can be changed",
)


def fill_table(
    course: Course, platform: PlatformTable, download: Path, path: Path, assignment: str | None = None
) -> list[str]:
    """Write the platform's table with the scores of one or all graded assignments. Return sentences for the teacher."""
    table = read_table(download)
    people = table.find_columns(platform.people)
    if len(table.find_columns(platform.required)) < len(platform.required) or not people:
        needed = ", ".join((*platform.people[:1], *platform.required))
        raise CourseError(f"{download} is not a {platform.table}: it needs the columns {needed}. {platform.menu}")
    assignments = read_scores(course, assignment)
    if platform.grade and len(assignments) > 1:
        names = ", ".join(each.name for each in assignments)
        raise CourseError(f"a worksheet is for one assignment: name it with --assignment ({names})")
    heading = next((at for at, row in enumerate(table.rows) if POSSIBLE in row[0]), None)
    students = range(0 if heading is None else heading + 1, len(table.rows))
    matches = _match_students(course, platform, table, students, assignments[0])
    if not matches:
        keys = ", ".join((*platform.keys, platform.number))
        raise CourseError(f"no student in {download} is in the gradebook: one of {keys} must be an id or address in it")
    notes: list[str] = [*table.notes]
    columns: list[int] = []
    for each in assignments:
        columns.append(_find_column(platform, table, heading, each, notes))
        notes += _fill_column(platform, table, columns[-1], each, matches)
    if unmatched := [table.rows[at][people[0]] for at in students if at not in matches]:
        strangers = join_names(unmatched)
        notes.append(f"In {table.path.name}, but without a match in the gradebook, so left unchanged: {strangers}.")
    if platform.last:
        places = [*range(table.find_columns([platform.last])[0] + 1), *columns]
        table.header, *table.rows = ([row[at] for at in places] for row in (table.header, *table.rows))
    write_table(path, table)
    return notes


def _match_students(
    course: Course, platform: PlatformTable, table: CsvTable, students: range, scores: AssignmentScores
) -> dict[int, str]:
    """Return row index -> student for the rows whose student is known."""
    rows = {at: table.rows[at] for at in students}
    (number,) = table.find_columns([platform.number])
    numbers = {at: [row[number].rpartition(" ")[2]] for at, row in rows.items()}
    people, ids = People(course), {student.id for student in scores.students}
    matches = match_rows(rows, table.find_columns(platform.keys), people, ids)
    if platform.file_mark:
        # Match the remaining rows by the number under which a submission was collected.
        unmatched = ids - {*matches.values()}
        collected = {
            origin["prefix"].partition(platform.file_mark)[0].rpartition("_")[2]: student
            for student, origin in read_origins(course, scores.name).items()
            if student in unmatched and origin["platform"] == platform.name.lower()
        }
        matches |= {at: collected[key] for at, (key,) in numbers.items() if at not in matches and key in collected}
    return matches or match_rows(numbers, [0], people, ids)


def match_rows(rows: dict[int, list[str]], columns: list[int], people: People, known_ids: set[str]) -> dict[int, str]:
    """Return row index -> student for rows in which one of `columns` identifies a student whom no other row has."""
    matches = {}
    for at, row in rows.items():
        candidates = [people.find_by_key(row[column]) for column in columns]
        owners = [[person.id for person in persons if person.id in known_ids] for persons in candidates]
        if student := next((ids[0] for ids in owners if len(ids) == 1), None):
            matches[at] = student
    claims = Counter(matches.values())
    return {at: student for at, student in matches.items() if claims[student] == 1}


def _find_column(
    platform: PlatformTable, table: CsvTable, heading: int | None, assignment: AssignmentScores, notes: list[str]
) -> int:
    """Return the index of an assignment's column, added if it is missing. `heading`: index of the row of maxima."""
    # Canvas appends the assignment's ID to its title, in parentheses.
    titles = [re.sub(r"\s\(\d+\)$", "", title).casefold() for title in table.header]
    title = (platform.grade or assignment.name).casefold()
    if title not in titles:
        notes.append(f"{assignment.name}: a new column, not in {table.path.name} before.")
        table.header.append(assignment.name)
        for at, row in enumerate(table.rows):
            row.append(format_points(assignment.max_points) if at == heading else "")
        return len(table.header) - 1
    column = titles.index(title)
    maximum = table.find_column(platform.maximum) if platform.maximum else column
    row = 0 if platform.maximum and table.rows else heading
    text = table.rows[row][maximum].replace(",", ".") if maximum is not None and row is not None else ""
    if re.fullmatch(r"\s*\d+(\.\d+)?\s*", text) and abs(float(text) - assignment.max_points) > 0.005:
        our_maximum, their_maximum = format_points(assignment.max_points), format_points(float(text))
        raise CourseError(
            f"{assignment.name} has {their_maximum} points in {platform.name} and {our_maximum} in the gradebook: "
            f"set {platform.name} to {our_maximum} and download the file again"
        )
    return column


def _fill_column(
    platform: PlatformTable, table: CsvTable, column: int, assignment: AssignmentScores, matches: dict[int, str]
) -> Iterator[str]:
    points_of = assignment.points
    filled = {at: student for at, student in matches.items() if student in points_of}
    for at, student in filled.items():
        table.rows[at][column] = format_points(points_of[student])
    yield f"{assignment.name}: {len(filled)} score{'s' * (len(filled) != 1)} filled in."
    yield from assignment.list_exceptions()
    students = set(matches.values())
    if missing := [f"{name} ({format_points(points)})" for name, points in points_of.items() if name not in students]:
        yield f"{assignment.name}: graded, but in no row of {table.path.name}, or in several: {join_names(missing)}."
    locks = table.find_column(platform.locks) if platform.locks else None
    is_locked = {student: locks is not None and table.rows[at][locks] == "No" for at, student in filled.items()}
    above = {student for student in filled.values() if platform.locks and points_of[student] > assignment.max_points}
    if skipped := [student for student in filled.values() if is_locked[student] or student in above]:
        yield f"{platform.name} will skip them, locked or above the maximum grade: {join_names(skipped)}."
