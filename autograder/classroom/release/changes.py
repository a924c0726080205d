"""Changes of points in a later grading, which are reported to the teacher and recorded."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timezone

from autograder.classroom.course.course import Course
from autograder.classroom.roster.table import format_csv

CHANGES = "changes.csv"  # file in the course's folder
_COLUMNS = ("when", "student", "assignment", "exercise", "before", "now", "worth", "why")


@dataclass(frozen=True)
class ChangedNumber:
    """A changed number (an exercise's points, a penalty, or a total) with the reason."""

    exercise: str
    before: float
    now: float
    worth: float
    why: str

    def __str__(self) -> str:
        return f"{self.exercise} {self.before:g} -> {self.now:g} of {self.worth:g} ({self.why})"


def append_changes(course: Course, student: str, assignment: str, changes: Iterable[ChangedNumber]) -> None:
    path, time = (
        course.folder / CHANGES,
        course.plan.to_course_zone(datetime.now(timezone.utc)).isoformat(timespec="seconds"),
    )
    rows = [[time, student, assignment, each.exercise, each.before, each.now, each.worth, each.why] for each in changes]
    if not rows:
        return
    header = [list(_COLUMNS)] if not path.exists() else []
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600), "w", encoding="utf-8") as file:
        file.write(format_csv(header + rows))
