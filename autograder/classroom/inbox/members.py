"""The files in a download, which is a folder or a zip file; a learner's own zip file in it is opened once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.boundary.archive import Archive
from autograder.chapters.errors import CourseError, UnreadableAnswer
from autograder.chapters.files import read_plain
from autograder.worker.reading.answers import MAX_FILE_BYTES

MAX_FILES = 200  # that one learner can hand in
_IGNORED = ("__MACOSX", "__pycache__", "timestamp.txt", "submission_secret.txt")


@dataclass(frozen=True)
class Member:
    """One file."""

    # In the download: what the platform or the teacher called it. Of a file in a learner's zip, the zip's.
    place: PurePosixPath
    inner: str  # its path in a learner's zip file, or empty
    data: bytes

    def __str__(self) -> str:
        return f"{self.place}/{self.inner}" if self.inner else str(self.place)


@contextlib.contextmanager
def opened(source: Path) -> Iterator[tuple[list[PurePosixPath], Callable[[int], bytes]]]:
    """Places of all files in a download, and a function that reads the one of a number.

    `CourseError` where it is neither a folder nor a zip file.
    """
    if source.is_dir():
        paths = [path for path in sorted(source.rglob("*")) if not path.is_dir() or path.is_symlink()]
        places = [PurePosixPath(path.relative_to(source).as_posix()) for path in paths]
        yield places, lambda number: read_plain(paths[number], MAX_FILE_BYTES)
        return
    if not source.is_file():
        raise CourseError(f"{source} is {'no zip file and no folder' if source.exists() else 'not there'}")
    with source.open("rb") as file:
        try:
            archive = Archive(file=file)
        except UnreadableAnswer:
            raise CourseError(f"{source} is no zip file and no folder") from None
        with archive:
            yield [PurePosixPath(name.replace("\\", "/").lstrip("/")) for name in archive.names], archive.read


def members(places: Iterable[PurePosixPath], read: Callable[[int], bytes], problems: list[str]) -> Iterator[Member]:
    """Every file of a download, one by one; problems get a sentence about each that is left out."""
    for number, place in enumerate(places):
        if is_ignored(place):
            continue
        if ".." in place.parts or "\0" in str(place):
            problems.append(f"{place}: leads out of the folder; left out")
            continue
        try:
            data = read(number)
            if place.suffix.lower() == ".zip" and data[:2] == b"PK":
                yield from _unzipped(place, data, problems)
            else:
                yield Member(place, "", data)
        except UnreadableAnswer as error:
            problems.append(f"{place}: {str(error).removeprefix('is ')}; left out")


def is_ignored(place: PurePosixPath) -> bool:
    """Whether a file is what systems put beside others, such as `.git` and all in it, or a folder."""
    return not place.parts or any(part in _IGNORED or (part[0] == "." and part != "..") for part in place.parts)


def _unzipped(place: PurePosixPath, content: bytes, problems: list[str]) -> Iterator[Member]:
    """The files in a zip file that a learner made; zip files in it are just files."""
    with Archive(content) as archive:
        for number, inner in enumerate(archive.names):
            if is_ignored(PurePosixPath(inner)):
                continue
            if number >= MAX_FILES or archive.taken >= MAX_FILE_BYTES:
                problems.append(f"{place}: holds more than one learner can hand in; the rest is left out")
                return
            try:
                data = archive.read(number)
            except UnreadableAnswer as error:
                problems.append(f"{place}/{inner}: {str(error).removeprefix('is ')}; left out")
                continue
            yield Member(place, inner, data)
