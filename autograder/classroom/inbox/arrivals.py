"""Finds each chapter's notebook in what was handed in, whatever the file is called.

nbgrader looks for `one_query.ipynb` alone. Browsers, Windows and learning platforms make `one_query(1).ipynb`,
`One_Query.ipynb` or `one_query - Copy.ipynb` of it, and learners hand in scripts. What was handed in stays as it is;
beside it comes a notebook under the right name, made anew whenever the folder is looked at.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat

from autograder.boundary.reader import is_made, read_any
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import why
from autograder.chapters.files import write_whole
from autograder.chapters.text import clean
from autograder.classroom.inbox.members import MAX_FILES
from autograder.classroom.inbox.tidy import tidy
from autograder.classroom.release.restore import empty_notebook, notebook_of
from autograder.worker.reading.notebooks import ARRIVED_AS, LONGEST

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


READABLE = (".ipynb", ".json", ".txt", ".py")  # some browsers save a notebook as one_query.ipynb.json or .txt

SECONDS = 5.0  # to look through the files beside the notebooks of one submission; most take a thousandth of that

# What copying and downloading put behind a name: "(1)", " - Copy", "-Copy1", "-2", " copy 2", ".ipynb" of ".ipynb.txt".
# One of them at a time: an expression for any number of them would try every way to part a name.
_ADDED = re.compile(r"(\(\d{1,9}\)|cop(y|ie)\s?\d{0,9}|[-_ ]\d{1,9}|\.ipynb|\.py|[-_\s])\Z", re.IGNORECASE)


def place_all(course: Course, assignments: list[str]) -> list[str]:
    """Put a notebook for every chapter into every submission; sentences for the teacher."""
    with course.gradebook() as gradebook:
        chapters = {name: [each.name for each in gradebook.find_assignment(name).notebooks] for name in assignments}
    return [
        f"{student}: {told}"
        for name in assignments
        for student in course.students(name)
        for told in _placed(course.folder_of("submitted", student, name), chapters[name])
    ]


def _placed(folder: Path, chapters: list[str]) -> list[str]:
    """The same for one learner: whose folder is odd ends nobody's collecting."""
    try:
        return place_notebooks(folder, chapters)
    except OSError as error:
        return [f"{error.filename or folder} cannot be read or written: {why(error)}"]


def place_notebooks(folder: Path, chapters: Iterable[str]) -> list[str]:
    """Put a notebook for every chapter into the folder of a submission.

    `folder`: `submitted/<student>/<assignment>`.
    `chapters`: the notebooks of the assignment.
    Gives sentences for the teacher about files that were taken under another name.
    """
    folder, chapters = Path(folder), list(chapters)
    told = tidy(folder, [f"{chapter}.ipynb" for chapter in chapters])
    made = [chapter for chapter in chapters if _is_missing(folder / f"{chapter}.ipynb")]
    if not made:
        return told
    kept = {folder / f"{chapter}.ipynb" for chapter in chapters}
    others = [path for path in _files(folder) if path not in kept]
    readable = [path for path in others if path.suffix.lower() in READABLE]
    found, ends = {}, time.monotonic() + SECONDS
    for path in readable:
        if (left := ends - time.monotonic()) <= 0:
            told.append(f"{path.relative_to(folder)} was not looked at: the files before it took {SECONDS:.0f} seconds")
            break
        cells, why, names = read_any(path, left)
        if not why and (chapter := _chapter_of(path, names, made)):
            # The one with most of the chapter in it; among equals the youngest.
            rank = len(_exercises_in(names, chapter)), path.stat().st_mtime
            found[chapter] = max(found.get(chapter, ((-1, 0), None, None)), (rank, path, cells), key=lambda x: x[0])
    taken = {path for _, path, _ in found.values()}
    for chapter in made:
        _, path, cells = found.get(chapter, (None, None, None))
        if path:
            name, notebook = clean(path.relative_to(folder)), notebook_of(cells, "")
            notebook.metadata[ARRIVED_AS] = name
            told.append(f"{chapter}.ipynb was handed in as {name}")
        else:
            notebook = empty_notebook(_why_missing(chapter, [path for path in others if path not in taken], folder))
            notebook.metadata[ARRIVED_AS] = ""
        write_whole(folder / f"{chapter}.ipynb", nbformat.writes(notebook))
    return told


def _is_missing(path: Path) -> bool:
    return not os.path.lexists(path) or path.is_symlink() or was_made(path)


def was_made(path: Path) -> bool:
    """Whether a file is a notebook that `place_notebooks` made."""
    return path.suffix == ".ipynb" and is_made(path)


def _files(folder: Path) -> list[Path]:
    """Files that the learner handed in: no links, nothing hidden, nothing that is given."""
    found = []
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_symlink() or not path.is_file() or any(part.startswith((".", "__")) for part in parts):
            continue
        if parts[0] != "given" and parts != ("timestamp.txt",) and parts != ("submission_secret.txt",):
            found.append(path)
        if len(found) == MAX_FILES:
            break
    return found


def _chapter_of(path: Path, names: set[str], chapters: list[str]) -> str | None:
    """The chapter that a file is called after, or else the one whose exercises it defines."""
    stem = path.stem
    while (shorter := _ADDED.sub("", stem)) != stem and shorter:
        stem = shorter
    stem = re.sub(r"[-\s]+", "_", stem.strip().lower())
    named = [chapter for chapter in chapters if chapter == stem or stem.endswith(f"_{chapter}")]
    if named:
        return max(named, key=len)
    ranked = sorted(chapters, key=lambda chapter: len(_exercises_in(names, chapter)), reverse=True)
    return ranked[0] if ranked and _exercises_in(names, ranked[0]) else None


def _exercises_in(names: set[str], chapter: str) -> set[str]:
    """Exercises of the chapter among the names that a file defines."""
    if not curriculum.solution_of(chapter).exists():
        return set()  # a notebook of the teacher's own
    return names & {exercise.name for exercise in read_chapter(chapter).exercises}


def _why_missing(chapter: str, others: list[Path], folder: Path) -> str:
    missing = f"the notebook {chapter}.ipynb was not handed in"
    if not others:
        return missing
    names = clean(", ".join(str(path.relative_to(folder)) for path in others[:3]))
    return f"{missing}, and no other file holds its exercises ({names}{', ...' * (len(others) > 3)})"[:LONGEST]
