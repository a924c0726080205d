"""The verdicts of a course: a file for each notebook, and those that later ones replaced beside it."""

import glob
import json
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import read_plain, write_whole
from autograder.grading.record import Line

EARLIER = "earlier"  # beside the verdicts: those that were replaced by others
MAX_RECORD = 64 << 20  # bytes: far more than what is said of one notebook


@dataclass(frozen=True)
class Place:
    student: str
    assignment: str
    chapter: str
    timestamp: str = ""  # when it was handed in; empty where nobody knows

    @property
    def path(self) -> str:
        return f"submitted/{self.student}/{self.assignment}/{self.chapter}.ipynb"

    def verdicts_in(self, course: Path) -> Path:
        """Where its verdicts lie; docs/records.md describes the file."""
        return Path(course) / "verdicts" / self.student / self.assignment / f"{self.chapter}.json"


def write_verdicts(course: Path, place: Place, line: Line, before: Line | None) -> None:
    """Write what was found, in place of what `read_verdicts` gave before; that is kept where it differs."""
    path = place.verdicts_in(course)
    path.parent.mkdir(parents=True, exist_ok=True)
    if before and _result_in(before) != _result_in(line):
        until = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H-%M-%SZ")
        earlier_path = path.parent / EARLIER / f"{path.stem}.{until}.json"
        earlier_path.parent.mkdir(exist_ok=True)
        write_whole(earlier_path, json.dumps(before) + "\n")
    write_whole(path, json.dumps(line) + "\n")


def _result_in(line: Line) -> list[tuple]:
    """What was said of each exercise, without how long it took to say it."""
    return [
        (exercise["exercise"], exercise["points"], exercise["max_points"], exercise["message"])
        for exercise in line["exercises"]
    ]


def earlier_verdicts(course: Path, place: Place) -> list[tuple[str, Line]]:
    """What was found before something else was: until when, and the object; the last one last."""
    path = place.verdicts_in(course)
    return [
        (
            earlier_path.name.removeprefix(f"{path.stem}.").removesuffix(".json"),
            json.loads(earlier_path.read_text(encoding="utf-8")),
        )
        for earlier_path in sorted((path.parent / EARLIER).glob(f"{glob.escape(path.stem)}.*.json"))
    ]


def read_verdicts(course: Path, place: Place) -> Line | None:
    """The object that `write_verdicts` wrote, or None."""
    try:
        return json.loads(read_plain(place.verdicts_in(course), MAX_RECORD))
    except (UnreadableAnswer, ValueError):
        return None
