"""Puts a submission where nbgrader looks for it: whole, in place of the one that was there."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.files import alone, writing

STAGING = ".collecting"  # in the course's folder: what is being collected, until all of it is there


@contextmanager
def staged(course: Path) -> Iterator[Path]:
    """An empty folder on the course's disk, for one run at a time.

    `course`: the course's folder.
    `CourseError` where another run is collecting.
    """
    staging = course / STAGING
    with ExitStack() as lock:
        with writing(course):
            lock.enter_context(_collecting(course))
        lock.callback(remove, staging)
        _put_back(course)
        remove(staging)
        staging.mkdir(mode=0o700)
        yield staging


def recover(course: Path) -> None:
    """Put back what a run that was killed had set aside, unless another one is collecting."""
    with suppress(CourseError), _collecting(course):
        _put_back(course)


def _collecting(course: Path) -> AbstractContextManager[None]:
    return alone(
        course / f"{STAGING}.lock", busy=CourseError(f"another run collects into {course}: wait for it to end")
    )


def put(folder: Path, new: Path) -> None:
    """Put a submission in its place.

    A kill leaves the old one, or the new one, or the old one set aside, until `staged` or `recover` comes by.

    `folder`: `submitted/<student>/<assignment>`.
    `new`: on the same disk.
    `OSError` where the learner's folder is a link: it leads to somebody else's place.
    """
    if folder.parent.is_symlink():
        raise OSError(errno.ELOOP, "it is a link", str(folder.parent))
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = folder.with_name(f".{folder.name}.old")
    if os.path.lexists(folder):
        remove(aside)
        folder.rename(aside)
    new.rename(folder)
    remove(aside)


def _put_back(course: Path) -> None:
    """Put back what a run that was killed had set aside."""
    for aside in (course / "submitted").glob("*/.*.old"):
        folder = aside.with_name(aside.name[1:-4])
        if aside.parent.is_symlink():
            continue
        if os.path.lexists(folder):
            remove(aside)
        else:
            aside.rename(folder)


def remove(path: Path) -> None:
    """Remove whatever has this name, if something has; what a link leads to stays."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
