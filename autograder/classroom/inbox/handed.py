"""What one learner handed in, wherever it came from: an exchange, a zip file or a folder."""

import contextlib
import hashlib
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import read_plain, write_whole
from autograder.classroom.inbox.arrivals import called_before, was_made
from autograder.classroom.inbox.members import MAX_FILES
from autograder.classroom.inbox.placing import put
from autograder.worker.reading.answers import MAX_FILE_BYTES


@dataclass
class Handed:
    """One submission: what its platform calls the learner, and the files, in the staging folder."""

    platform: str  # "moodle", "canvas", or empty where a folder is called after the learner
    key: str  # the platform's number of the learner, which of Moodle's belongs to one assignment; or the folder's name
    name: str = ""
    is_late: bool = False  # whether the platform says so
    prefix: str = ""  # what the name of a file has to begin with so that the platform takes it back for this learner
    time: str = ""  # as in `timestamp.txt`; empty where nobody knows
    folder: Path = Path()
    files: int = 0
    size: int = 0

    def __str__(self) -> str:
        return f"{self.name} ({self.key})" if self.name else self.key

    def take(self, rest: Path, data: bytes) -> str:
        """Write a file; a sentence where that cannot be."""
        if self.files >= MAX_FILES or self.size + len(data) > MAX_FILE_BYTES:
            return "more than one learner can hand in; left out"
        path = self.folder / rest
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except (OSError, ValueError) as error:  # a name that is too long, or a file where another needs a folder
            return f"{getattr(error, 'strerror', '') or error}; left out"
        self.files, self.size = self.files + 1, self.size + len(data)
        return ""

    def deliver(self, place: Path) -> str:
        """Put it where nbgrader looks for it; `new`, `replaced`, or `same` where it lies there already."""
        self.folder.mkdir(exist_ok=True)
        if self.time:
            write_whole(self.folder / "timestamp.txt", self.time)
        is_new = place.is_symlink() or not place.exists()
        if not is_new and _contents(place) == _contents(self.folder):
            return "same"
        put(place, self.folder)
        return "new" if is_new else "replaced"


def _contents(folder: Path) -> dict[str, bytes]:
    """Path -> digest of what was handed in."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and not was_made(path):
            with contextlib.suppress(UnreadableAnswer):
                content = read_plain(path, MAX_FILE_BYTES)
                found[called_before(path.relative_to(folder).as_posix())] = hashlib.sha256(content).digest()
    return found
