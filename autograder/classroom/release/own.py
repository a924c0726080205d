"""The first chapter of a teacher's own: a small one that works, to be written over."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_whole
from autograder.classroom.course.plan import OWN

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


TEMPLATES = Path(__file__).parent / "templates" / "own"  # a chapter called `template`, which works as it is


def write_own_chapter(course: Course, name: str) -> list[Path]:
    """Write a chapter with one exercise, its suite and its known mistakes, into the course's folder `own`.

    Its exercise is called `<name>_weights`. Gives the files.
    """
    home, exercise = curriculum.Home.own(course.folder / OWN), f"{name}_weights"
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise CourseError(f"{name!r} cannot name a chapter: use small letters, digits and _, as in my_chapter")
    if name in curriculum.CHAPTERS or (curriculum.SUITES / f"test_{exercise}.py").exists():
        raise CourseError(f"{name} is a name of the kit's own: give your chapter another one")
    files = {
        home.solutions / f"{name}.py": "chapter.py",
        home.suites / f"test_{exercise}.py": "suite.py",
        home.misconceptions / f"{exercise}.md": "misconceptions.md",
    }
    if there := [path for path in files if path.exists()]:
        raise CourseError(f"{there[0]} is there already: give the chapter another name, or delete it")
    title = name.replace("_", " ").capitalize()
    for path, template in files.items():
        text = (TEMPLATES / template).read_text(encoding="utf-8")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.replace("template_weights", exercise).replace("Template", title))
    curriculum.open_home(home)
    read_chapter(name)
    return list(files)
