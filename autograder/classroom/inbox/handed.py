"""A submission from any source, and functions that move it atomically to the path that nbgrader expects."""

import errno
import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath

from autograder.api import MAX_FILE_BYTES
from autograder.chapters.errors import CourseError, UnreadableAnswer
from autograder.chapters.files import explain_errors, lock_file, read_plain, remove, swap_folder, undo_swaps, write_file
from autograder.classroom.course.times import read_timestamp
from autograder.classroom.inbox.arrivals import MAX_FILES, is_copy, remove_copy_suffix

# Files in a submission that are not the learner's work, but nbgrader's.
NOT_WORK = ("timestamp.txt", "submission_secret.txt")
MAX_MARKER_BYTES = 4096  # size of `timestamp.txt` or `submission_secret.txt`
# Subfolders of the course: graded submissions whose replacement is not graded yet, and incomplete collections.
REPLACED, STAGING = ".replaced", ".collecting"


@dataclass
class Upload:
    """A submission in the staging folder, and the platform's name and ID for the learner."""

    platform: str  # "moodle", "canvas", or empty if a folder is named after the learner
    # The platform's ID for the learner (Moodle assigns one for each assignment), or the folder's name.
    key: str
    name: str = ""
    is_late: bool = False
    # The prefix that the platform expects in the names of feedback files for this learner.
    prefix: str = ""
    time: str = ""  # in the format of `timestamp.txt`; empty if unknown
    folder: Path = Path()
    files: int = 0
    size: int = 0  # bytes

    def __str__(self) -> str:
        return f"{self.name} ({self.key})" if self.name else self.key

    def add_file(self, path_inside: PurePath, data: bytes) -> str:
        """Write a file of the submission. Return the reason if it is left out, otherwise an empty string."""
        if self.files >= MAX_FILES or self.size + len(data) > MAX_FILE_BYTES:
            return "more than a submission may contain; skipped"
        path = self.folder / path_inside
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except (OSError, ValueError) as error:  # The name is too long, or a file has the name of a folder.
            return f"{getattr(error, 'strerror', '') or error}; skipped"
        self.files, self.size = self.files + 1, self.size + len(data)
        return ""

    def deliver(self, place: Path, kept_folder: Path | None = None) -> str:
        """Move the submission to `place`, and an earlier one to `kept_folder`. Return "new", "replaced" or "same"."""
        self.folder.mkdir(exist_ok=True)
        if self.time:
            write_file(self.folder / "timestamp.txt", self.time)
        is_new = place.is_symlink() or not place.exists()
        has_same_time = not self.time or read_timestamp(place) == self.time
        if not is_new and has_same_time and hash_each_file(place) == hash_each_file(self.folder):
            return "same"
        if place.parent.is_symlink():
            raise OSError(errno.ELOOP, "it is a link", str(place.parent))
        place.parent.mkdir(parents=True, exist_ok=True)
        # If the process is killed here, the old submission (perhaps moved aside) or the new one is complete.
        old_folder = swap_folder(self.folder, place)
        # If a submission is already kept, it was graded, unlike the one that is being replaced.
        if kept_folder and not is_new and not kept_folder.exists():
            kept_folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            old_folder.rename(kept_folder)
        remove(old_folder)
        return "new" if is_new else "replaced"


def hash_each_file(folder: Path) -> dict[str, bytes]:
    """Return file -> hash for all files that a learner submitted, to compare submissions."""
    digests = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.name not in NOT_WORK and not is_copy(path):
            with suppress(UnreadableAnswer):
                content = read_plain(path, MAX_FILE_BYTES)
                digests[remove_copy_suffix(path.relative_to(folder).as_posix())] = hashlib.sha256(content).digest()
    return digests


@contextmanager
def open_staging_folder(course: Path) -> Iterator[Path]:
    """Yield an empty folder inside the course's folder. Raises `CourseError` if another run is collecting."""
    staging = course / STAGING
    with ExitStack() as lock:
        with explain_errors(course):
            lock.enter_context(_lock_collecting(course))
        lock.callback(remove, staging)
        undo_swaps((course / "submitted").glob("*/.*.old"))
        remove(staging)
        staging.mkdir(mode=0o700)
        yield staging


def restore_submissions(course: Path) -> None:
    """Restore the submissions that a killed run had moved aside, unless another run is collecting."""
    with suppress(CourseError), _lock_collecting(course):
        undo_swaps((course / "submitted").glob("*/.*.old"))


def _lock_collecting(course: Path) -> AbstractContextManager[None]:
    busy = CourseError(f"another run is collecting into {course}: wait for it to finish")
    return lock_file(course / f"{STAGING}.lock", busy=busy)
