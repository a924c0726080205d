"""The verdicts of a course: a file for each notebook, with replaced ones next to it."""

import functools
import glob
import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from autograder.api import KINDS_FILE, Line, text_of
from autograder.chapters import curriculum
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import read_plain, write_whole
from autograder.classroom.gradebook.queries import Released

EARLIER = "earlier"  # subfolder of replaced verdicts
MAX_RECORD = 64 << 20  # bytes: far more than one notebook needs


@dataclass(frozen=True)
class Place:
    student: str
    assignment: str
    chapter: str
    timestamp: str = ""  # of submission; empty if unknown

    @property
    def path(self) -> str:
        return f"submitted/{self.student}/{self.assignment}/{self.chapter}.ipynb"

    def verdicts_in(self, course: Path) -> Path:
        return Path(course) / "verdicts" / self.student / self.assignment / f"{self.chapter}.json"


def write_verdicts(course: Path, place: Place, line: Line, before: Line | None) -> None:
    """Write a line instead of the one that `read_verdicts` returned; the old one is kept if it differs."""
    path = place.verdicts_in(course)
    path.parent.mkdir(parents=True, exist_ok=True)
    if before and _result_in(before) != _result_in(line):
        until = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H-%M-%SZ")
        earlier_path = path.parent / EARLIER / f"{path.stem}.{until}.json"
        earlier_path.parent.mkdir(exist_ok=True)
        write_whole(earlier_path, json.dumps(before) + "\n")
    write_whole(path, json.dumps(line) + "\n")


def _result_in(line: Line) -> list[tuple]:
    return [
        (exercise["exercise"], exercise["points"], exercise["max_points"], exercise["message"])
        for exercise in line["exercises"]
    ]


def earlier_verdicts(course: Path, place: Place) -> list[tuple[str, Line]]:
    """Return earlier verdicts as pairs of when they ended and the line, the latest last."""
    path = place.verdicts_in(course)
    return [
        (
            earlier_path.name.removeprefix(f"{path.stem}.").removesuffix(".json"),
            json.loads(earlier_path.read_text(encoding="utf-8")),
        )
        for earlier_path in sorted((path.parent / EARLIER).glob(f"{glob.escape(path.stem)}.*.json"))
    ]


def read_verdicts(course: Path, place: Place) -> Line | None:
    try:
        return json.loads(read_plain(place.verdicts_in(course), MAX_RECORD))
    except (UnreadableAnswer, ValueError):
        return None


PARTS = {
    "answer": "something else was handed in",
    "time": "another time is known of it",
    "tests": "the chapter, its hidden tests or its known mistakes were changed",
    "points": "it is worth something else, or a test cell or carry_forward was changed",
    "secret": "hidden inputs are drawn from another secret",
    "version": "another version of the kit",
    "settings": "nbgrader_config.py was changed",
    "due": "the due date was moved",
    "extension": "an extension was given or taken back",
    "grace": "the grace was changed",
    "waived": "an exercise was waived, or is not any more",
    "questions": "a question is worth something else",
}


@functools.cache
def kit_version() -> str:
    import importlib.metadata  # noqa: PLC0415  (slow to import)

    return importlib.metadata.version("attention-exercises")


def basis_of(notebooks: dict[str, Released], carry_forward: bool) -> dict[str, str]:
    """Return what grades depend on in the notebooks: tests, points, and what a person grades, each as a hash."""
    tests = hashlib.sha256(text_of(KINDS_FILE).encode())
    points, asked = list[object](), list[tuple[str, float]]()
    for chapter, released in sorted(notebooks.items()):
        names = sorted(released.points)
        of_exercises = [path(name) for name in names for path in (curriculum.suite_of, curriculum.misconceptions_of)]
        for path in (curriculum.solution_of(chapter), *of_exercises):
            tests.update(path.read_bytes() if path.exists() else b"")
        points.append((chapter, sorted(released.tests().items())))
        asked += [(name, released.points[name]) for name in names if name in released.solutions | released.tasks]
    basis = {"tests": tests.hexdigest()[:16], "points": _hash((points, carry_forward))[:16], "version": kit_version()}
    return basis | ({"questions": _hash(asked)[:16]} if asked else {})


def _hash(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()


def digest_of_files(folder: Path, but: Collection[str] = ()) -> str:
    """Return a hash of all files of a folder, a learner's receipt: half as long, it could be forged with 2^32 tries."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.name not in but:
            name = str(path.relative_to(folder)).replace(" ", "\0")  # otherwise a name could imitate a size and content
            digest.update(f"{name} {path.stat().st_size} ".encode("utf-8", "surrogateescape"))
            with path.open("rb") as file:
                while piece := file.read(1 << 20):
                    digest.update(piece)
    return digest.hexdigest()[:32]


def digest_of_basis(basis: dict[str, str]) -> str:
    """Return a hash of everything a grade depends on; a new version alone changes no grade."""
    parts = sorted((name, str(part)) for name, part in basis.items() if name != "version")
    return _hash(parts)[:32]


def why_changed(before: dict[str, str], now: dict[str, str | None], digest: str) -> str:
    """Return which parts of a basis differ, in words; `digest` is the hash of all submitted files."""
    if not before:
        return "nothing tells what it was based on before"
    if "time" not in before:  # an earlier version, which hashed the time with the answer
        now = now | {"answer": digest[:16], "time": None, "questions": None}
    parts = [name for name in PARTS if str(before.get(name)) != str(now.get(name))]
    return "; ".join(PARTS[name] for name in parts) or "nothing else has changed: the answer is not the same each time"
