"""Times in the formats of platforms, teachers, nbgrader and messages; extensions, and the lateness of submissions."""

import contextlib
import datetime
import functools
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.errors import CourseError, UnreadableAnswer
from autograder.chapters.files import read_plain, write_file
from autograder.classroom.course.plan import END_OF_DAY, REFUSE, Assignment, Plan

MAX_TIMESTAMP_BYTES = 200
UTC = datetime.timezone.utc
LANGUAGES = "en", "de", "fr", "es"
_FORMATS = ("%d/%m/%y, %H:%M", "%m/%d/%y, %I:%M %p", "%Y-%m-%d %H:%M")
# Matches Friday, 20 November 2026, 10:15 AM; November 20, 2026, 10:15 AM; viernes, 20 de noviembre de 2026, 10:15
_WORDS = re.compile(
    r"""([^\W\d]+\.?,?\ )??                                    # weekday
    ((?P<day>\d{1,2})\.?\ (de\ )?)? (?P<month>[^\W\d]+)\.? (\ (?P<day_after>\d{1,2}),)?
    \ (de\ )?(?P<year>\d{4}),?
    \ (?P<hour>\d{1,2}):(?P<minute>\d\d) (?P<half>\ ?[ap]\.?m\.?)?""",
    re.IGNORECASE | re.VERBOSE,
)
_TIME_IN_FILE_NAME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[-T_ ](\d\d)[-:.](\d\d)(?:[-:.](\d\d))?")
_UTC_TIME = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})?) UTC", re.ASCII)
# Matches the texts that dateutil may parse. It opens a zone's name as a path, so only names like Europe/Berlin match.
_PLAIN_TIME = re.compile(r"[\w:+., -]{1,60}(\w{1,20}(/\w{1,20}){1,2})?", re.ASCII)


def parse_worksheet_time(text: str, plan: Plan) -> str:
    """Return Moodle's time in the format of `timestamp.txt`, or "" for "-". Raises `CourseError` if it is malformed."""
    # An unreadable time raises an error, because a late submission must not silently count as on time.
    text = " ".join(text.split())
    if text in ("", "-"):
        return ""
    for pattern in _FORMATS:
        with contextlib.suppress(ValueError):
            return format_utc(plan.add_zone(datetime.datetime.strptime(text, pattern)))
    if (parts := _WORDS.fullmatch(text)) and (month := _read_month_numbers().get(parts["month"].casefold())):
        hour, half = int(parts["hour"]), (parts["half"] or "").strip().casefold()
        hour = hour % 12 + 12 * half.startswith("p") if half else hour
        with contextlib.suppress(ValueError, TypeError):  # if the month has no such day
            day = int(parts["day"] or parts["day_after"])
            time = datetime.datetime(int(parts["year"]), month, day, hour, int(parts["minute"]))
            return format_utc(plan.add_zone(time))
    raise CourseError(f"{text!r} is not a readable time: download the worksheet with English as your language")


@functools.cache
def _read_month_numbers() -> dict[str, int]:
    from babel import Locale  # noqa: PLC0415  (slow: reads its tables)

    tables = [Locale(language).months["format"][width] for language in LANGUAGES for width in ("wide", "abbreviated")]
    return {name.casefold().rstrip("."): number for months in tables for number, name in months.items()}


def format_utc(time: datetime.datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def to_naive_utc(time: datetime.datetime) -> datetime.datetime:
    """Return a time as a naive datetime in UTC, the form in which nbgrader stores times."""
    return time.astimezone(UTC).replace(tzinfo=None)


def read_timestamp(folder: Path) -> str:
    """Return the text of a folder's `timestamp.txt`, "" if it is missing, or a remark if it is unreadable."""
    path = Path(folder) / "timestamp.txt"
    try:
        return read_plain(path, MAX_TIMESTAMP_BYTES).decode("utf-8").strip()
    except (UnreadableAnswer, UnicodeError):
        return "not a short text" if os.path.lexists(path) else ""


def parse_timestamp(text: str) -> datetime.datetime | None:
    """Return the time in the text of a `timestamp.txt` as naive UTC, or None if it contains no time."""
    if not _PLAIN_TIME.fullmatch(text):
        return None
    try:
        if match := _UTC_TIME.fullmatch(text):
            return datetime.datetime.fromisoformat(match[1])
        from autograder.classroom.gradebook.calls import parse_utc  # noqa: PLC0415  (imports nbgrader)

        # After a space, nbgrader would read an offset such as +0200 as 200 seconds.
        return parse_utc(re.sub(r"(\d) ([+-]\d\d):?(\d\d)$", r"\1\2:\3", text))
    except Exception:  # dateutil raises errors of many types
        return None


def format_timestamp(text: str, plan: Plan) -> str:
    """Return a timestamp with its time converted to the course's time zone, or unchanged if it contains no time."""
    time = parse_timestamp(text)
    return plan.format_time(time.replace(tzinfo=UTC), "%Y-%m-%d %H:%M:%S") if time else text


def format_duration(span: datetime.timedelta) -> str:
    """Return a duration in its two largest units, such as "1 day, 2 hours". The minimum is a minute."""
    minutes = max(1, round(span.total_seconds() / 60))
    counts = {"day": minutes // 1440, "hour": minutes // 60 % 24, "minute": minutes % 60}
    counts_and_units = [f"{count} {unit}{'s' * (count != 1)}" for unit, count in counts.items() if count]
    return ", ".join(counts_and_units[:2])


def parse_due_date(text: str) -> datetime.datetime:
    """Parse a due date. Time (default: end of day) and zone are optional. Raises `CourseError` if it is malformed."""
    try:
        due = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise CourseError(f"{text!r} is not a date and time: write one such as 2027-02-01T12:00") from None
    return datetime.datetime.combine(due, END_OF_DAY) if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else due


def parse_file_name_time(text: str, plan: Plan) -> str:
    """Convert a time in a file's name to the format of `timestamp.txt`. Other texts are returned unchanged."""
    if parts := _TIME_IN_FILE_NAME.fullmatch(text.strip()):
        with contextlib.suppress(ValueError):
            numbers = "{}-{}-{}T{}:{}:{}".format(*(part or "00" for part in parts.groups()))
            return format_utc(plan.add_zone(datetime.datetime.fromisoformat(numbers)))
    return text


def format_due_date(time: datetime.datetime, plan: Plan) -> str:
    """Return a naive UTC time, rounded up to a minute, in the format that `parse_due_date` reads."""
    minute = time.replace(second=0, microsecond=0, tzinfo=UTC)
    minute += datetime.timedelta(minutes=minute < time.replace(tzinfo=UTC))
    return plan.to_course_zone(minute).isoformat(timespec="minutes")


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
