"""What one learner handed in, wherever it came from."""

from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.inbox.members import MAX_FILES
from autograder.worker.reading.answers import MAX_FILE_BYTES


@dataclass
class Handed:
    """One submission of a download: what its platform calls the learner, and the files, in the staging folder."""

    platform: str  # "moodle", "canvas", or empty for a folder called after the learner
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
