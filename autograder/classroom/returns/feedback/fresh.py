"""Which feedback pages say what they would say if they were written anew: these are left alone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.chapters import curriculum
from autograder.chapters.files import write_whole

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


PAGES = ".pages.json"  # in the course's folder: what each page was made of


def bases_of(course: Course, assignment: str, students: list[str]) -> dict[str, str]:
    """Student -> stands for all that the pages of an assignment are made of."""
    from autograder.classroom.gradebook.queries import shown_on_pages  # noqa: PLC0415  (imports nbgrader)

    code = _code(course, assignment)
    with course.gradebook() as gradebook:
        known = shown_on_pages(gradebook, assignment)
    found = {}
    for student in students:
        folder = course.folder_of("autograded", student, assignment)
        files = [(path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(folder.glob("*.ipynb"))]
        found[student] = hashlib.sha256(repr((code, files, known.get(student))).encode()).hexdigest()[:16]
    return found


def _code(course: Course, assignment: str) -> str:
    """Stands for what pages are written with."""
    here, digest = Path(__file__).parent, hashlib.sha256()
    paths = [*here.glob("*.py"), *(here.parent / "templates").glob("feedback*")]
    paths += [curriculum.solution_of(chapter) for chapter in course.plan.assignment(assignment).chapters]
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def read_known(course: Course) -> dict[str, str]:
    """ "Assignment/student" -> what its pages were made of."""
    try:
        return json.loads((course.folder / PAGES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def remember(course: Course, made: dict[str, str]) -> None:
    """Add to that."""
    write_whole(course.folder / PAGES, json.dumps(read_known(course) | made, indent=0))
