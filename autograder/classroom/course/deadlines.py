"""Extensions and lengths of time. An extension is stored as a date in the course's time zone."""

import datetime
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_whole
from autograder.classroom.course.plan import REFUSE, Assignment, Plan
from autograder.classroom.course.times import UTC, naive_utc, read_due, typed

EXTENSIONS = "extensions.json"
_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}
_SHARE = re.compile(r"(\d{1,3})\s?%")


@dataclass(frozen=True)
class Span:
    """A length of time. Days are calendar days, so that the time of day stays; hours have 60 minutes."""

    days: int
    rest: datetime.timedelta

    def __bool__(self) -> bool:
        return bool(self.days or self.rest)

    def after(self, due: datetime.datetime, plan: Plan) -> datetime.datetime:
        """Return the moment this much later, by the clocks of the course."""
        wall_clock = plan.local(due).replace(tzinfo=None) + datetime.timedelta(days=self.days)
        return plan.local((plan.zoned(wall_clock) if self.days else due).astimezone(UTC) + self.rest)


def read_span(text: str) -> Span:
    """Return a length of time such as 2d, 12h or 1w3d. Raises `CourseError` if it is not one."""
    if not re.fullmatch(r"(\d{1,6}[wdhm])+|0", text):
        raise CourseError(f"{text!r} is not a length of time: write 2d, 12h, 90m, 1w, several together, or 0 for none")
    parts = dict[str, int]()
    for count, unit in re.findall(r"(\d+)([wdhm])", text):
        parts[_UNITS[unit]] = parts.get(_UNITS[unit], 0) + int(count)
    days = 7 * parts.pop("weeks", 0) + parts.pop("days", 0)
    if days > 3660:
        raise CourseError(f"{text!r} is longer than ten years: write a shorter time")
    return Span(days, datetime.timedelta(**parts))


def read_extra(text: str) -> Span | float:
    """Return an accommodation of the roster, a share such as 25% of the time or a length such as 2d.

    Raises `CourseError` if it is neither.
    """
    if share := _SHARE.fullmatch(text.strip()):
        return int(share[1]) / 100
    return read_span(text.strip())


def extra_end(extra: Span | float, planned: Assignment, due: datetime.datetime, plan: Plan) -> datetime.datetime:
    """Return until when an accommodation allows a submission; a share needs the assignment's opening time."""
    if isinstance(extra, Span):
        return extra.after(due, plan)
    return due if planned.opens is None else plan.local(due.astimezone(UTC) + extra * (due - planned.opens))


def read_until(text: str, due: datetime.datetime | None, plan: Plan) -> datetime.datetime | None:
    """Return the end of an extension, written as a length or as that end; None for none.

    Raises `CourseError` if it cannot be read, or is not after the due date.
    """
    if re.match(r"\d{4}-", text):
        until = plan.local(plan.zoned(read_due(text)))
        if due and until <= due:
            raise CourseError(f"{text} is not after the due date, which is {plan.shown(due)}")
        return until
    if not (span := read_span(text)):
        return None
    if due is None:
        raise CourseError("there is no due date to count from: say until when, such as 2027-02-03T12:00")
    return span.after(due, plan)


Ends = dict[tuple[str, str], datetime.datetime | None]  # (assignment, student) -> end; None if withdrawn


def read_extensions(folder: Path, due_of: Callable[[str], datetime.datetime | None]) -> Ends:
    """Return all extensions; earlier versions stored lengths, which count from today's due date."""
    path = folder / EXTENSIONS
    try:
        entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        return {(entry["assignment"], entry["student"]): _end_in(entry, due_of) for entry in entries}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise CourseError(f"{path} cannot be read: restore it from a backup, or delete it") from None


def _end_in(entry: dict, due_of: Callable[[str], datetime.datetime | None]) -> datetime.datetime | None:
    if "seconds" in entry:
        due = due_of(entry["assignment"])
        return due + datetime.timedelta(seconds=entry["seconds"]) if due and entry["seconds"] else None
    return datetime.datetime.fromisoformat(entry["until"]) if entry["until"] else None


def write_extensions(folder: Path, extensions: Ends) -> None:
    entries = [
        {"assignment": name, "student": student, "until": end and end.isoformat()}
        for (name, student), end in sorted(extensions.items())
    ]
    write_whole(folder / EXTENSIONS, json.dumps(entries, indent=1) + "\n", 0o600)


@dataclass(frozen=True)
class Arrival:
    planned: Assignment
    time: datetime.datetime | None  # naive UTC, as in nbgrader; None if unknown
    is_said_late: bool  # whether the platform says that it was late, without saying by how much
    until: datetime.datetime | None  # the last moment without grace, including extensions, with its zone

    @property
    def late(self) -> datetime.timedelta | None:
        """Return by how much it was late, zero within the grace period, None if unknown."""
        if self.time is None:
            return None if self.is_said_late else datetime.timedelta()
        late = self.time - naive_utc(self.until) if self.until else datetime.timedelta()
        return late if late > self.planned.grace else datetime.timedelta()

    def refusal(self, plan: Plan, student: str) -> str:
        """Return why it is not graded, or an empty string. If its time is unknown, it waits until a teacher adds it."""
        name = self.planned.name
        if self.planned.late != REFUSE or self.until is None:
            return ""
        if self.time is None:
            why = (
                "came late according to Canvas, which does not say by how much"
                if self.is_said_late
                else "came at an unknown time"
            )
            example = plan.local(self.until).strftime("%Y-%m-%d %H:%M%z")
            return (
                f"{name} {why}, so it waits and is not graded: write when it came into submitted/{student}/{name}/"
                f"timestamp.txt, such as {example}, or collect it again with --worksheet"
            )
        if not (late := self.late):
            return ""
        minutes = -(-late // datetime.timedelta(minutes=1))  # rounded up
        until = typed(self.time - self.planned.grace, plan)
        return (
            f"{name} was handed in {minutes} minute{'s' * (minutes != 1)} too late, so it is not graded: `attn course "
            f"extend {student} {name} {until}` takes it all the same"
        )
