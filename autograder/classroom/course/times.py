"""Functions that parse and format times in the formats of platforms, teachers, nbgrader and messages."""

import contextlib
import datetime
import functools
import os
import re
from pathlib import Path

from autograder.chapters.errors import CourseError, UnreadableAnswer
from autograder.chapters.files import read_plain
from autograder.classroom.course.plan import END_OF_DAY, UTC, Plan

MAX_TIMESTAMP_BYTES = 200
LANGUAGES = "en", "de", "fr", "es"
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
