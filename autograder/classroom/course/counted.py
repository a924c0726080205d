"""What a submission counted for when it was graded, kept with it: a later roster or plan changes nothing silently."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_whole

COUNTED = "counted"  # in the course's folder: a file for each assignment


@dataclass(frozen=True)
class Counted:
    """One graded submission: whose points it gives, and what its lateness was measured by."""

    students: tuple[str, ...]  # ids of all for whom it counts
    time: str = ""  # when it was handed in, as in `timestamp.txt`; empty where nobody knows
    due: str = ""
    until: str = ""  # with an extension or an accommodation
    grace: float = 0.0  # seconds
    late: float | None = 0.0  # seconds; None where it came late by an unknown time
    by_hand: dict[str, tuple[float, float]] = field(default_factory=dict)  # cell -> points of a person, its worth


def read_counted(folder: Path, assignment: str) -> dict[str, Counted]:
    """Return who handed in -> what that counted for; empty where nothing has been graded since it is kept."""
    path = folder / COUNTED / f"{assignment}.json"
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return {who: Counted(**entry | {"students": tuple(entry["students"])}) for who, entry in entries.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError):
        raise CourseError(f"{path} cannot be read: restore it from a backup, or delete it and grade again") from None


def write_counted(folder: Path, assignment: str, counted: dict[str, Counted]) -> None:
    path = folder / COUNTED / f"{assignment}.json"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    write_whole(path, json.dumps({who: asdict(each) for who, each in sorted(counted.items())}, indent=1) + "\n", 0o600)
