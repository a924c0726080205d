"""The record of changed points, with the reason for each change."""

import datetime
import os
from collections.abc import Iterable
from typing import NamedTuple

from autograder.classroom.course.course import Course
from autograder.classroom.course.times import UTC
from autograder.classroom.roster.table import format_csv

CHANGES = "changes.csv"  # file in the course's folder
_COLUMNS = ("when", "student", "assignment", "exercise", "before", "now", "worth", "why")


class ChangedNumber(NamedTuple):
    """A changed number (an exercise's points, a penalty, or a total) with the reason."""

    exercise: str
    before: float
    now: float
    worth: float
    why: str

    def __str__(self) -> str:
        return f"{self.exercise} {self.before:g} -> {self.now:g} of {self.worth:g} ({self.why})"


def append_changes(course: Course, student: str, assignment: str, changes: Iterable[ChangedNumber]) -> None:
    path = course.folder / CHANGES
    time = course.plan.to_course_zone(datetime.datetime.now(UTC)).isoformat(timespec="seconds")
    rows = [(time, student, assignment, *change) for change in changes]
    header = [_COLUMNS] if not path.exists() else []
    if rows:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600), "w", encoding="utf-8") as file:
            file.write(format_csv([*header, *rows]))
