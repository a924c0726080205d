"""Times: as platforms and teachers write them, as nbgrader reads them, as clocks of the course show them."""

import contextlib
import datetime
import functools
import os
import re
from pathlib import Path

from autograder.chapters.errors import CourseError, UnreadableAnswer
from autograder.chapters.files import read_plain
from autograder.classroom.course.plan import END_OF_DAY, Plan
from autograder.classroom.gradebook.calls import read_utc

MAX_TIME = 200  # bytes of `timestamp.txt`
UTC = datetime.timezone.utc
LANGUAGES = "en", "de", "fr", "es"  # in which Moodle's months are known
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
_PLAIN_TIME = re.compile(r"[\w:+., -]{1,60}(\w{1,20}(/\w{1,20}){1,2})?", re.ASCII)  # a zone, and no path


def read_time(text: str, plan: Plan) -> str:
    """Return a time of Moodle's worksheet as in `timestamp.txt`, empty for none; `CourseError` if it is no time."""
    # A time that cannot be read is an error: a late submission must not count as in time without a word.
    text = " ".join(text.split())
    if text in ("", "-"):
        return ""
    for pattern in _FORMATS:
        with contextlib.suppress(ValueError):
            return stamp(plan.zoned(datetime.datetime.strptime(text, pattern)))
    if (time_parts := _WORDS.fullmatch(text)) and (month := _months().get(time_parts["month"].casefold())):
        hour, half = int(time_parts["hour"]), (time_parts["half"] or "").strip().casefold()
        hour = hour % 12 + 12 * half.startswith("p") if half else hour
        with contextlib.suppress(ValueError, TypeError):  # no such day, or none
            day = int(time_parts["day"] or time_parts["day_after"])
            return stamp(
                plan.zoned(datetime.datetime(int(time_parts["year"]), month, day, hour, int(time_parts["minute"])))
            )
    raise CourseError(f"{text!r} is no time that can be read: download the worksheet with English as your language")


@functools.cache
def _months() -> dict[str, int]:
    from babel import Locale  # noqa: PLC0415  (reads its tables)

    tables = [Locale(language).months["format"][width] for language in LANGUAGES for width in ("wide", "abbreviated")]
    return {name.casefold().rstrip("."): number for months in tables for number, name in months.items()}


def stamp(time: datetime.datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def naive_utc(time: datetime.datetime) -> datetime.datetime:
    """A time as nbgrader keeps it: in UTC without saying so."""
    return time.astimezone(UTC).replace(tzinfo=None)


def read_timestamp(folder: Path) -> str:
    path = Path(folder) / "timestamp.txt"
    try:
        return read_plain(path, MAX_TIME).decode("utf-8").strip()
    except (UnreadableAnswer, UnicodeError):
        return "not a short text" if os.path.lexists(path) else ""


def time_of(text: str) -> datetime.datetime | None:
    """Return what a `timestamp.txt` says as nbgrader keeps it; None if it is no time. dateutil raises many things."""
    if not _PLAIN_TIME.fullmatch(text):
        return None
    try:
        return read_utc(text)
    except Exception:
        return None


def local_time(text: str, plan: Plan) -> str:
    """What a `timestamp.txt` says as the clocks of the course show it; as it stands where it is no time."""
    time = time_of(text)
    return plan.shown(time.replace(tzinfo=UTC), "%Y-%m-%d %H:%M:%S") if time else text


def spelled(span: datetime.timedelta) -> str:
    """A length of time in its two largest units, such as "1 day, 2 hours"; a minute at least."""
    minutes = max(1, round(span.total_seconds() / 60))
    counts = {"day": minutes // 1440, "hour": minutes // 60 % 24, "minute": minutes % 60}
    named = [f"{count} {unit}{'s' * (count != 1)}" for unit, count in counts.items() if count]
    return ", ".join(named[:2])


def read_due(text: str) -> datetime.datetime:
    """Return a due date as it was typed, with a zone or without one; a date alone means the end of that day.

    Raises `CourseError` if it is neither.
    """
    try:
        due = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise CourseError(f"{text!r} is not a date and time: write one such as 2027-02-01T12:00") from None
    return datetime.datetime.combine(due, END_OF_DAY) if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else due


def in_zone(text: str, plan: Plan) -> str:
    """Return a time of a file's name as `timestamp.txt` has it; where it names no zone, that of the course is meant."""
    if parts := _IN_A_NAME.fullmatch(text.strip()):
        with contextlib.suppress(ValueError):
            numbers = "{}-{}-{}T{}:{}:{}".format(*(part or "00" for part in parts.groups()))
            return stamp(plan.zoned(datetime.datetime.fromisoformat(numbers)))
    return text


def typed(moment: datetime.datetime, plan: Plan) -> str:
    """Return the first whole minute from a moment in UTC on, as `read_due` reads it in the course's zone."""
    moment = moment.replace(tzinfo=UTC)
    whole = plan.local(moment.replace(second=0, microsecond=0))
    if moment.second or moment.microsecond:
        whole = plan.local(whole.astimezone(UTC) + datetime.timedelta(minutes=1))
    naive = whole.replace(tzinfo=None, fold=0)
    is_plain = plan.zoned(naive).astimezone(UTC) == whole.astimezone(UTC)
    return (naive if is_plain else whole).isoformat(timespec="minutes")
