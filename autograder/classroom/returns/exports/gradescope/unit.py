"""One learner's work on one assignment, graded where the learner is: on another platform, in a container of its own."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.boundary.reader import open_handed_in, read_handed_in
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import KitFault, UnreadableAnswer
from autograder.chapters.tasks import Task
from autograder.chapters.text import clean
from autograder.grading.one import Grader
from autograder.views.words import sentences_of

if TYPE_CHECKING:
    from autograder.classroom.course.plan import Assignment
    from autograder.judging.verdict.verdict import ExerciseVerdict


# What grading imports, and what answers may; versions are constraints.txt's. nbgrader stays at home.
_PACKAGES = ("numpy", "pytest", "seaborn", "ipython", "pyseccomp", "landlock")
_GIVEN_PACKAGES = ("requests", "platformdirs", "rich")  # what the package of given data imports


@dataclass(frozen=True)
class Finding:
    """What was found about one exercise."""

    number: str  # of chapter and exercise, such as "1.4"
    exercise: str
    points: float
    max_points: float
    text: str  # the sentences for the learner, one a line


def packages(assignment: Assignment) -> list[str]:
    """Names of the packages that have to be installed where an assignment is graded."""
    libraries = {library for name in assignment.chapters for library in read_chapter(name).libraries}
    return [*_PACKAGES, *_GIVEN_PACKAGES, *(["torch"] if "torch" in libraries else [])]


def grade_unit(assignment: Assignment, folder: Path, secret: bytes) -> list[Finding]:
    """Grade what a folder holds of an assignment's chapters.

    `folder`: the notebooks or scripts are somewhere in it, under the chapters' names.
    Gives every exercise that is asked, also those of a chapter that was not handed in or cannot be read.
    `KitFault` where something of ours is broken: then there is no result.
    """
    grader, chapters = Grader(assignment.exercises_asked, secret), enumerate(assignment.chapters, 1)
    return [each for number, chapter in chapters for each in _findings(grader, number, assignment, chapter, folder)]


def _findings(grader: Grader, number: int, assignment: Assignment, chapter: str, folder: Path) -> Iterator[Finding]:
    said, part = "", assignment.part(chapter)
    verdicts: dict[str, ExerciseVerdict] = {}
    try:
        path = _answer(chapter, folder)
        answer = read_handed_in(path, open_handed_in(path), part.chapter, part.given_code())
        task = Task(dataclasses.replace(answer, path=Path(answer.path).name), part.chapter, part.exercises)
        verdicts = {verdict.exercise: verdict for verdict in grader.grade(task)}
    except UnreadableAnswer as unreadable:
        said = f"{unreadable}.".replace(f"{folder}{os.sep}", "")
    for at, exercise in enumerate(part.exercises, 1):
        worth = assignment.points_of(exercise)
        points, text = (0, said) if said else _told(verdicts[exercise.name].worth(worth))
        yield Finding(f"{number}.{at}", exercise.name, points, worth, clean(text))


def _told(verdict: ExerciseVerdict) -> tuple[float, str]:
    if verdict.outcome == "fault":
        raise KitFault(verdict.message)
    passed = sum(test.outcome == "passed" for test in verdict.tests)
    return verdict.points, "\n".join([f"{passed} of {len(verdict.tests)} tests passed.", *sentences_of(verdict)])


def _answer(chapter: str, folder: Path) -> Path:
    """The file that answers a chapter: the one nearest to the top of the folder, a notebook before a script."""
    names = (f"{chapter}.ipynb", f"{chapter}.py")
    found = [Path(top, name) for top, _, files in _walk(folder) for name in names if name in files]
    # A link would have the grader read, and quote, any file that it may read itself.
    found = [path for path in found if path.is_file() and not path.is_symlink()]
    if not found:
        raise UnreadableAnswer(f"{chapter}.ipynb is missing: hand it in under this name")
    return min(found, key=lambda path: len(path.parts))


def _walk(folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """`os.walk` without what is hidden, and without the copies that macOS puts beside files."""
    for top, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        yield top, folders, files
