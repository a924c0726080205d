"""The files with the verdicts of a course, one per notebook, and hashes of everything that a grade depends on."""

import functools
import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from autograder.api import KINDS_FILE, RecordLine, read_text_of
from autograder.chapters import curriculum
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import read_plain, write_file
from autograder.classroom.gradebook.queries import ReleasedNotebook

MAX_RECORD_BYTES = 64 << 20


@dataclass(frozen=True)
class NotebookPlace:
    student: str
    assignment: str
    chapter: str
    timestamp: str = ""  # time of submission; empty if unknown

    @property
    def path(self) -> str:
        return f"submitted/{self.student}/{self.assignment}/{self.chapter}.ipynb"

    def get_verdict_path(self, course: Path) -> Path:
        return Path(course) / "verdicts" / self.student / self.assignment / f"{self.chapter}.json"


def write_verdicts(course: Path, place: NotebookPlace, line: RecordLine) -> None:
    path = place.get_verdict_path(course)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, json.dumps(line) + "\n")


def read_verdicts(course: Path, place: NotebookPlace) -> RecordLine | None:
    """Return the record of a notebook, or None if it has no readable record."""
    try:
        return json.loads(read_plain(place.get_verdict_path(course), MAX_RECORD_BYTES))
    except (UnreadableAnswer, ValueError):
        return None


# Part of the basis of a grade -> reason for changed points if this part has changed.
PARTS = {
    "answer": "the submission was changed",
    "time": "its submission time was changed",
    "tests": "the chapter, its hidden tests or its known mistakes were changed",
    "points": "its points, a test cell or carry_forward were changed",
    "secret": "the secret for hidden inputs was changed",
    "version": "another version of the kit",
    "settings": "nbgrader_config.py was changed",
    "due": "the due date was moved",
    "extension": "an extension was given or taken back",
    "grace": "the grace was changed",
    "waived": "an exercise was waived, or is no longer waived",
    "questions": "the points of a question were changed",
}


@functools.cache
def read_kit_version() -> str:
    import importlib.metadata  # noqa: PLC0415  (slow to import)

    return importlib.metadata.version("attention-exercises")


def hash_notebooks(notebooks: dict[str, ReleasedNotebook], carry_forward: bool) -> dict[str, str]:
    """Return what all grades of an assignment depend on: version, and hashes of tests, points and manual questions."""
    tests = hashlib.sha256(read_text_of(KINDS_FILE).encode())
    points, questions = list[object](), list[tuple[str, float]]()
    for chapter, released in sorted(notebooks.items()):
        names = sorted(released.points)
        exercise_files = [path(name) for name in names for path in (curriculum.suite_of, curriculum.misconceptions_of)]
        for path in (curriculum.solution_of(chapter), *exercise_files):
            tests.update(path.read_bytes() if path.exists() else b"")
        points.append((chapter, sorted(released.list_tests().items())))
        questions += [(name, released.points[name]) for name in names if name in released.solutions | released.tasks]
    points_digest, version = _hash((points, carry_forward))[:16], read_kit_version()
    basis = {"tests": tests.hexdigest()[:16], "points": points_digest, "version": version}
    return basis | ({"questions": _hash(questions)[:16]} if questions else {})


def _hash(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()


def hash_files(folder: Path, ignored: Collection[str] = ()) -> str:
    """Return a hash of a folder's files without `ignored` names. It is long enough to identify a submission."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.name not in ignored:
            # Replace spaces, because a name with spaces could look like a name, a size and content.
            name = str(path.relative_to(folder)).replace(" ", "\0")
            digest.update(f"{name} {path.stat().st_size} ".encode("utf-8", "surrogateescape"))
            with path.open("rb") as file:
                while piece := file.read(1 << 20):
                    digest.update(piece)
    # With half the length, 2^32 attempts would find two folders with the same hash.
    return digest.hexdigest()[:32]


def hash_basis(basis: dict[str, str]) -> str:
    """Return a hash of what a grade depends on, except for the kit's version, which alone does not change a grade."""
    parts = sorted((name, str(part)) for name, part in basis.items() if name != "version")
    return _hash(parts)[:32]


def explain_change(old_basis: dict[str, str], new_basis: dict[str, str | None], digest: str) -> str:
    """Return why a grade may have changed, from the changed parts of its basis. `digest`: hash of the submission."""
    if not old_basis:
        return "there is no record of what the earlier grade was based on"
    # An earlier version hashed the time together with the answer.
    if "time" not in old_basis:
        new_basis = new_basis | {"answer": digest[:16], "time": None, "questions": None}
    parts = [name for name in PARTS if str(old_basis.get(name)) != str(new_basis.get(name))]
    return "; ".join(PARTS[name] for name in parts) or "nothing else has changed: the answer's results vary"
