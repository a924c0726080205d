"""Extensions, and the lateness of submissions. An extension is stored as the time at which it ends."""

import datetime
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_file
from autograder.classroom.course.plan import REFUSE, Assignment, Plan
from autograder.classroom.course.times import UTC, format_due_date, parse_due_date, to_naive_utc

EXTENSIONS = "extensions.json"
_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}
_SHARE = re.compile(r"(\d{1,3})\s?%")


@dataclass(frozen=True)
class TimeSpan:
    """A length of time. Days are calendar days: a day later is the same time of day, even if the clocks change."""

    days: int
    rest: datetime.timedelta

    def add_to(self, due: datetime.datetime, plan: Plan) -> datetime.datetime:
        """Return the time that is this span later than `due`, in the course's time zone."""
        wall_clock = plan.to_course_zone(due).replace(tzinfo=None) + datetime.timedelta(days=self.days)
        return plan.to_course_zone((plan.add_zone(wall_clock) if self.days else due).astimezone(UTC) + self.rest)


def parse_span(text: str) -> TimeSpan:
    """Parse a length of time such as 2d, 12h or 1w3d. Raises `CourseError` if it is malformed or too long."""
    if not re.fullmatch(r"(\d{1,6}[wdhm])+|0", text):
        raise CourseError(f"{text!r} is not a length of time: write 2d, 12h, 90m, 1w, several together, or 0 for none")
    parts = dict[str, int]()
    for count, unit in re.findall(r"(\d+)([wdhm])", text):
        parts[_UNITS[unit]] = parts.get(_UNITS[unit], 0) + int(count)
    days = 7 * parts.pop("weeks", 0) + parts.pop("days", 0)
    if days > 3660:
        raise CourseError(f"{text!r} is longer than ten years: write a shorter time")
    return TimeSpan(days, datetime.timedelta(**parts))


def parse_extra_time(text: str) -> TimeSpan | float:
    """Parse extra time: a share of an assignment's time (25%) or a length (2d). Raises `CourseError` if malformed."""
    if share := _SHARE.fullmatch(text.strip()):
        return int(share[1]) / 100
    return parse_span(text.strip())


def add_extra_time(extra: TimeSpan | float, spec: Assignment, due: datetime.datetime, plan: Plan) -> datetime.datetime:
    """Return the due date plus extra time. A share (a float) adds nothing if the assignment has no opening time."""
    if isinstance(extra, TimeSpan):
        return extra.add_to(due, plan)
    return due if spec.opens is None else plan.to_course_zone(due.astimezone(UTC) + extra * (due - spec.opens))


def parse_extension(text: str, due: datetime.datetime | None, plan: Plan) -> datetime.datetime | None:
    """Return the end of an extension, given as length or date; None for 0. Raises `CourseError` if it is invalid."""
    if re.match(r"\d{4}-", text):
        end = plan.to_course_zone(plan.add_zone(parse_due_date(text)))
        if due and end <= due:
            raise CourseError(f"{text} is not after the due date, which is {plan.format_time(due)}")
        return end
    if (span := parse_span(text)) == TimeSpan(0, datetime.timedelta()):
        return None
    if due is None:
        raise CourseError("there is no due date to count from: give a date, such as 2027-02-03T12:00")
    return span.add_to(due, plan)


# (assignment, student) -> end of the extension, or None if it was withdrawn
Extensions = dict[tuple[str, str], datetime.datetime | None]


def read_extensions(folder: Path, due: Callable[[str], datetime.datetime | None]) -> Extensions:
    """Return all extensions. If one is stored as a length, as in earlier versions, add it to `due(assignment)`."""

    def parse_end(entry: dict) -> datetime.datetime | None:
        if "until" not in entry:
            start = due(entry["assignment"])
            return start + datetime.timedelta(seconds=entry["seconds"]) if start and entry["seconds"] else None
        return entry["until"] and datetime.datetime.fromisoformat(entry["until"])

    path = folder / EXTENSIONS
    try:
        entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        return {(entry["assignment"], entry["student"]): parse_end(entry) for entry in entries}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise CourseError(f"{path} cannot be read: restore it from a backup, or delete it") from None


def write_extensions(folder: Path, extensions: Extensions) -> None:
    entries = [
        {"assignment": name, "student": student, "until": end and end.isoformat()}
        for (name, student), end in sorted(extensions.items())
    ]
    write_file(folder / EXTENSIONS, json.dumps(entries, indent=1) + "\n", 0o600)


@dataclass(frozen=True)
class Arrival:
    """The time at which a submission arrived, and the deadline that applied to it."""

    assignment: Assignment
    time: datetime.datetime | None  # naive UTC, as in nbgrader; None if unknown
    # Whether the platform has marked the submission as late but gives no time.
    is_marked_late: bool
    # The learner's deadline, with its time zone, without the assignment's grace period.
    until: datetime.datetime | None

    @property
    def delay(self) -> datetime.timedelta | None:
        """Return the lateness: zero within the grace period or if nothing is known, None if late by an unknown time."""
        if self.time is None:
            return None if self.is_marked_late else datetime.timedelta()
        delay = self.time - to_naive_utc(self.until) if self.until else datetime.timedelta()
        return delay if delay > self.assignment.grace else datetime.timedelta()

    def explain_refusal(self, plan: Plan, student: str) -> str:
        """Return why the plan refuses the submission, because of a late or unknown time, or "" if it does not."""
        name = self.assignment.name
        if self.assignment.late != REFUSE or self.until is None:
            return ""
        if self.time is None:
            late_by = "late according to Canvas, which does not say by how much"
            reason = f"came {late_by if self.is_marked_late else 'at an unknown time'}"
            example = plan.to_course_zone(self.until).strftime("%Y-%m-%d %H:%M%z")
            return (
                f"{name} {reason}, so it is not graded yet: write its submission time into submitted/{student}/{name}/"
                f"timestamp.txt, such as {example}, or collect it again with --worksheet"
            )
        if not (delay := self.delay):
            return ""
        minutes = -(-delay // datetime.timedelta(minutes=1))  # rounded up
        deadline = format_due_date(self.time - self.assignment.grace, plan)
        return (
            f"{name} was handed in {minutes} minute{'s' * (minutes != 1)} too late, so it is not graded: `attn course "
            f"extend {student} {name} {deadline}` accepts it anyway"
        )
