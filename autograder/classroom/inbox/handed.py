"""A learner's submission from any source, and how it is moved, as a whole, to where nbgrader looks for it."""

import contextlib
import errno
import hashlib
import os
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath

from autograder.api import MAX_FILE_BYTES
from autograder.chapters.errors import CourseError, UnreadableAnswer
from autograder.chapters.files import explain_errors, file_lock, put_back, read_plain, remove, swap_folder, write_whole
from autograder.classroom.course.times import read_timestamp
from autograder.classroom.inbox.arrivals import MAX_FILES, is_copy, original_name

NOT_WORK = ("timestamp.txt", "submission_secret.txt")  # nbgrader recognises a submission by them
REPLACED = ".replaced"  # subfolder of the course: replaced submissions, until the new ones are graded
STAGING = ".collecting"  # subfolder of the course: incomplete downloads


@dataclass
class Handed:
    """A submission in the staging folder, with what its platform calls the learner."""

    platform: str  # "moodle", "canvas", or empty if a folder is named after the learner
    key: str  # the platform's number of the learner (Moodle's is valid for one assignment), or the folder's name
    name: str = ""
    is_late: bool = False  # whether the platform says so
    prefix: str = ""  # prefix of file names that the platform accepts back for this learner
    time: str = ""  # as in `timestamp.txt`; empty if unknown
    folder: Path = Path()
    files: int = 0
    size: int = 0

    def __str__(self) -> str:
        return f"{self.name} ({self.key})" if self.name else self.key

    def take(self, rest: PurePath, data: bytes) -> str:
        if self.files >= MAX_FILES or self.size + len(data) > MAX_FILE_BYTES:
            return "more than one learner can hand in; left out"
        path = self.folder / rest
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except (OSError, ValueError) as error:  # the name is too long, or a file is where a folder is needed
            return f"{getattr(error, 'strerror', '') or error}; left out"
        self.files, self.size = self.files + 1, self.size + len(data)
        return ""

    def deliver(self, place: Path, kept: Path | None = None) -> str:
        """Move it to where nbgrader looks; return `new`, `replaced` (the old one is in `kept`) or `same`."""
        self.folder.mkdir(exist_ok=True)
        if self.time:
            write_whole(self.folder / "timestamp.txt", self.time)
        is_new = place.is_symlink() or not place.exists()
        has_same_time = not self.time or read_timestamp(place) == self.time
        if not is_new and has_same_time and digests_of(place) == digests_of(self.folder):
            return "same"  # a known time stays
        _put(place, self.folder, None if is_new else kept)
        return "new" if is_new else "replaced"


def digests_of(folder: Path, but: Collection[str] = NOT_WORK) -> dict[str, bytes]:
    """Return the hashes of a folder's files, to compare submissions; times do not count."""
    digests = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.name not in but and not is_copy(path):
            with contextlib.suppress(UnreadableAnswer):
                content = read_plain(path, MAX_FILE_BYTES)
                digests[original_name(path.relative_to(folder).as_posix())] = hashlib.sha256(content).digest()
    return digests


@contextmanager
def staged(course: Path) -> Iterator[Path]:
    """Yield an empty folder on the course's disk. Raises `CourseError` if another run is collecting."""
    staging = course / STAGING
    with ExitStack() as lock:
        with explain_errors(course):
            lock.enter_context(_collecting(course))
        lock.callback(remove, staging)
        put_back((course / "submitted").glob("*/.*.old"))
        remove(staging)
        staging.mkdir(mode=0o700)
        yield staging


def recover(course: Path) -> None:
    """Restore what a killed run had set aside, unless another run is collecting."""
    with suppress(CourseError), _collecting(course):
        put_back((course / "submitted").glob("*/.*.old"))


def _collecting(course: Path) -> AbstractContextManager[None]:
    busy = CourseError(f"another run collects into {course}: wait for it to end")
    return file_lock(course / f"{STAGING}.lock", busy=busy)


def _put(folder: Path, new: Path, kept: Path | None = None) -> None:
    """Put a submission in its place; after a kill, the old one (perhaps set aside) or the new one is complete."""
    if folder.parent.is_symlink():
        raise OSError(errno.ELOOP, "it is a link", str(folder.parent))
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = swap_folder(new, folder)
    if kept and os.path.lexists(aside):
        kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if kept.exists():  # an ungraded replacement; the graded one stays
            remove(aside)
        else:
            aside.rename(kept)
    remove(aside)
