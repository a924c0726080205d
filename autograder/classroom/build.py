"""Assignments from chapters: what nbgrader is given to make a release of."""

import re
import shutil

from autograder.boundary.sandbox import GIVEN
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import CourseError
from autograder.classroom.nbgrader_calls import StepFailed


def build_assignments(course, log):
    """Write every chapter's source notebook, with what it imports, and let nbgrader make the release of every unit.

    Parameters
    ----------
    course : autograder.classroom.course.Course
    log : callable
        Called with a line for each unit.

    Raises
    ------
    CourseError
        Where nbgrader refuses.
    """
    from nbformat import write  # noqa: PLC0415  (slow to import, and the command line imports this module)

    from autograder.classroom.notebooks import source_notebook  # noqa: PLC0415

    with course.gradebook():
        pass
    for unit, chapters in curriculum.UNITS.items():
        source = course.folder / "source" / unit
        source.mkdir(parents=True, exist_ok=True)
        for chapter in chapters:
            write(source_notebook(chapter), source / f"{chapter}.ipynb")
        _put_given(chapters, source / GIVEN.name)
        try:
            course.call("generate_assignment", unit)
        except StepFailed as failed:
            told = f"nbgrader could not make the assignment {unit} in {course.folder}: {failed}"
            if "submissions associated" in failed.log:
                told += (
                    ". Once answers are graded texts may change, but cells may not: make a new course for a new edition"
                )
            raise CourseError(told) from None
        log(f"{unit}: {', '.join(chapters)} -> {course.folder / 'release' / unit}")


def _put_given(chapters, folder):
    """Put the package of given data beside the notebooks of a unit, where a cell of one of them imports it.

    nbgrader copies it into the release, and over whatever learners hand back.
    """
    shutil.rmtree(folder, ignore_errors=True)
    cells = (cell for chapter in chapters for cell in read_chapter(chapter).cells if cell.kind != "markdown")
    if any(re.search(rf"^\s*(from|import) {GIVEN.name}\b", cell.source, re.MULTILINE) for cell in cells):
        shutil.copytree(GIVEN, folder, ignore=shutil.ignore_patterns("__pycache__", "test*"))
