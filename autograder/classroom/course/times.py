"""Times as platforms and teachers write them, as nbgrader stores them, and as the course shows them."""

import contextlib
import datetime
import functools
import os
import re
from pathlib import Path

from autograder.chapters.errors import CourseError, UnreadableAnswer
from autograder.chapters.files import read_plain
from autograder.classroom.course.plan import END_OF_DAY, Plan

MAX_TIMESTAMP = 200  # bytes of `timestamp.txt`
UTC = datetime.timezone.utc
LANGUAGES = "en", "de", "fr", "es"  # in which Moodle's month names are understood
_FORMATS = ("%d/%m/%y, %H:%M", "%m/%d/%y, %I:%M %p", "%Y-%m-%d %H:%M")
# Friday, 20 November 2026, 10:15 AM; Friday, November 20, 2026, 10:15 AM; viernes, 20 de noviembre de 2026, 10:15
_WORDS = re.compile(
    r"""([^\W\d]+\.?,?\ )??                                    # weekday
    ((?P<day>\d{1,2})\.?\ (de\ )?)? (?P<month>[^\W\d]+)\.? (\ (?P<day_after>\d{1,2}),)?
    \ (de\ )?(?P<year>\d{4}),?
    \ (?P<hour>\d{1,2}):(?P<minute>\d\d) (?P<half>\ ?[ap]\.?m\.?)?""",
    re.IGNORECASE | re.VERBOSE,
)
_IN_A_NAME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[-T_ ](\d\d)[-:.](\d\d)(?:[-:.](\d\d))?")
_UTC_TIME = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})?) UTC", re.ASCII)  # as we and nbgrader write it
_PLAIN_TIME = re.compile(r"[\w:+., -]{1,60}(\w{1,20}(/\w{1,20}){1,2})?", re.ASCII)  # a zone name, but not a path


def read_time(text: str, plan: Plan) -> str:
    """Convert a time of Moodle's worksheet to the form of `timestamp.txt`; empty stays empty. Raises `CourseError`."""
    # An unreadable time is an error, because a late submission must not silently count as in time.
    text = " ".join(text.split())
    if text in ("", "-"):
        return ""
    for pattern in _FORMATS:
        with contextlib.suppress(ValueError):
            return stamp(plan.zoned(datetime.datetime.strptime(text, pattern)))
    if (time_parts := _WORDS.fullmatch(text)) and (month := _months().get(time_parts["month"].casefold())):
        hour, half = int(time_parts["hour"]), (time_parts["half"] or "").strip().casefold()
        hour = hour % 12 + 12 * half.startswith("p") if half else hour
        with contextlib.suppress(ValueError, TypeError):  # there is no such day
            day = int(time_parts["day"] or time_parts["day_after"])
            return stamp(
                plan.zoned(datetime.datetime(int(time_parts["year"]), month, day, hour, int(time_parts["minute"])))
            )
    raise CourseError(f"{text!r} is not a readable time: download the worksheet with English as your language")


@functools.cache
def _months() -> dict[str, int]:
    from babel import Locale  # noqa: PLC0415  (reads its tables)

    tables = [Locale(language).months["format"][width] for language in LANGUAGES for width in ("wide", "abbreviated")]
    return {name.casefold().rstrip("."): number for months in tables for number, name in months.items()}


def stamp(time: datetime.datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def naive_utc(time: datetime.datetime) -> datetime.datetime:
    """Return a time as nbgrader stores it: a naive datetime in UTC."""
    return time.astimezone(UTC).replace(tzinfo=None)


def read_timestamp(folder: Path) -> str:
    path = Path(folder) / "timestamp.txt"
    try:
        return read_plain(path, MAX_TIMESTAMP).decode("utf-8").strip()
    except (UnreadableAnswer, UnicodeError):
        return "not a short text" if os.path.lexists(path) else ""


def parse_timestamp(text: str) -> datetime.datetime | None:
    """Parse a `timestamp.txt` into a naive UTC datetime, or return None. dateutil raises many kinds of errors."""
    if not _PLAIN_TIME.fullmatch(text):
        return None
    try:
        if plain := _UTC_TIME.fullmatch(text):
            return datetime.datetime.fromisoformat(plain[1])
        from autograder.classroom.gradebook.calls import parse_utc  # noqa: PLC0415  (imports nbgrader)

        return parse_utc(text)
    except Exception:
        return None


def local_time(text: str, plan: Plan) -> str:
    """Return a `timestamp.txt` by the clocks of the course, or unchanged if it is not a time."""
    time = parse_timestamp(text)
    return plan.shown(time.replace(tzinfo=UTC), "%Y-%m-%d %H:%M:%S") if time else text


def format_duration(span: datetime.timedelta) -> str:
    """Return a length of time in its two largest units, such as "1 day, 2 hours", at least a minute."""
    minutes = max(1, round(span.total_seconds() / 60))
    counts = {"day": minutes // 1440, "hour": minutes // 60 % 24, "minute": minutes % 60}
    named = [f"{count} {unit}{'s' * (count != 1)}" for unit, count in counts.items() if count]
    return ", ".join(named[:2])


def read_due(text: str) -> datetime.datetime:
    """Parse a due date with or without a zone; a date alone means the end of that day.

    Raises `CourseError` if it is neither.
    """
    try:
        due = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise CourseError(f"{text!r} is not a date and time: write one such as 2027-02-01T12:00") from None
    return datetime.datetime.combine(due, END_OF_DAY) if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else due


def in_zone(text: str, plan: Plan) -> str:
    """Return a time in a file's name in the form of `timestamp.txt`; without a zone, the course's is meant."""
    if parts := _IN_A_NAME.fullmatch(text.strip()):
        with contextlib.suppress(ValueError):
            numbers = "{}-{}-{}T{}:{}:{}".format(*(part or "00" for part in parts.groups()))
            return stamp(plan.zoned(datetime.datetime.fromisoformat(numbers)))
    return text


def typed(moment: datetime.datetime, plan: Plan) -> str:
    """Return the first whole minute after a moment in UTC, in a form that `read_due` accepts."""
    moment = moment.replace(tzinfo=UTC)
    whole = plan.local(moment.replace(second=0, microsecond=0))
    if moment.second or moment.microsecond:
        whole = plan.local(whole.astimezone(UTC) + datetime.timedelta(minutes=1))
    naive = whole.replace(tzinfo=None, fold=0)
    is_plain = plan.zoned(naive).astimezone(UTC) == whole.astimezone(UTC)
    return (naive if is_plain else whole).isoformat(timespec="minutes")
