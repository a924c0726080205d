"""Deadlines: who may take longer, and what comes too late."""

import datetime
import json
import re
from collections.abc import Callable
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_whole
from autograder.classroom.course.course import Course
from autograder.classroom.course.plan import REFUSE, Assignment
from autograder.classroom.course.times import naive_utc, read_due, time_of

EXTENSIONS = "extensions.json"
_SPANS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}


def refusal_of(planned: Assignment, student: str, handed_in: str, due: datetime.datetime | None) -> str:
    """Why work is not graded where its assignment takes none that comes late; empty where it is in time.

    `handed_in`: as in `timestamp.txt`.
    `due`: with an extension, in UTC without saying so, as nbgrader has it.
    """
    if not (planned.late == REFUSE and handed_in and due):
        return ""
    late = (time_of(handed_in) or due) - due
    if late <= planned.grace:
        return ""
    minutes = -(-late // datetime.timedelta(minutes=1))  # rounded up
    return (
        f"{planned.name} was handed in {minutes} minute{'s' * (minutes != 1)} too late, so it is not graded: `attn "
        f"course extend {student} {planned.name} {minutes}m` takes it all the same"
    )


def closing_of(course: Course, assignment: str) -> Callable[[str], datetime.datetime] | None:
    """Student -> the last moment, as nbgrader writes UTC, of an assignment that takes nothing later; None of others."""
    # The gradebook is opened only where it matters.
    due = course.due(assignment) if course.plan.assignment(assignment).late == REFUSE else None
    if due is None:
        return None
    longer = read_extensions(course.folder)
    last = naive_utc(due) + course.plan.assignment(assignment).grace
    return lambda student: last + longer.get((assignment, student), datetime.timedelta())


def read_span(text: str) -> datetime.timedelta:
    """A length of time such as 2d, 12h or 1w3d; `CourseError` where it is none."""
    if not re.fullmatch(r"(\d+[wdhm])+|0", text):
        raise CourseError(f"{text!r} is no length of time: write 2d, 12h, 90m, 1w or several together, or 0 for none")
    parts = {_SPANS[unit]: int(count) for count, unit in re.findall(r"(\d+)([wdhm])", text)}
    return datetime.timedelta(**parts)


def read_longer(
    text: str, due: datetime.datetime | None, zoned: Callable[[datetime.datetime], datetime.datetime]
) -> datetime.timedelta:
    """How much longer, told as a length of time or as its end; `CourseError` where it is neither, or too early."""
    if not re.match(r"\d{4}-", text):
        return read_span(text)
    until = zoned(read_due(text))
    if due is None or until <= due:
        when = f"{due:%a %d %b %Y %H:%M %Z}" if due else "not set"
        raise CourseError(f"{text} is not after the due date, which is {when}")
    return until - due


def read_extensions(folder: Path) -> dict[tuple[str, str], datetime.timedelta]:
    """(Assignment, student) -> how much longer."""
    path = folder / EXTENSIONS
    try:
        entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        return {
            (entry["assignment"], entry["student"]): datetime.timedelta(seconds=entry["seconds"]) for entry in entries
        }
    except (OSError, ValueError, KeyError, TypeError):
        raise CourseError(f"{path} cannot be read: restore it from a backup, or delete it") from None


def extend(course: Course, student: str, assignment: str, span: datetime.timedelta) -> None:
    """Give a learner longer, or no longer where the span is 0; it counts from the next grading on."""
    extensions = read_extensions(course.folder)
    extensions[assignment, student] = span
    entries = [
        {"assignment": name, "student": who, "seconds": int(longer.total_seconds())}
        for (name, who), longer in sorted(extensions.items())
    ]
    write_whole(course.folder / EXTENSIONS, json.dumps(entries, indent=1) + "\n")
