"""Feedback on its way back: a zip file that Moodle and Canvas take for all learners at once, or a file for each."""

from __future__ import annotations

import os
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.chapters.errors import CourseError, why
from autograder.chapters.files import write_whole, writing
from autograder.classroom.inbox.owners import read_origins
from autograder.classroom.returns.feedback.write import pages_in

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


_MAIN = re.compile(r"<main>(.*)</main>", re.DOTALL)


def pack(course: Course, assignment: str, path: Path) -> list[str]:
    """Write the pages of an assignment into a zip file, each under the name by which its platform knows the learner.

    Gives sentences for the teacher.
    """
    origins = read_origins(course, assignment)
    strangers: list[str] = []
    members: dict[str, str] = {}
    platforms: set[str] = set()
    for student in course.students(assignment, "feedback"):
        page, origin = page_of(course, student, [assignment]), origins.get(student, {})
        prefix = origin.get("prefix") or f"{student}/"
        platforms.add(origin.get("platform", ""))
        if not origin.get("platform"):
            strangers.append(student)
        if page:
            members[f"{prefix}{assignment}-feedback.html"] = page
    if not members:
        raise CourseError(f"there is no feedback page of {assignment} yet: run `attn course grade {assignment}` first")
    _write_zip(path, members)
    told = [f"{path}: the pages of {len(members)} learners."]
    if "moodle" in platforms:
        told.append(
            "Moodle: in the assignment's settings, Feedback types > Feedback files; then Submissions > Upload multiple "
            "feedback files in a zip."
        )
    if "canvas" in platforms:
        told.append("Canvas: Upload Submissions, beside Download Submissions; each file becomes a comment.")
    if strangers:
        shown = ", ".join(strangers[:10]) + " ..." * (len(strangers) > 10)
        told.append(f"Not collected from a platform, so in folders of their own that no platform knows: {shown}.")
    return told


def write_files(course: Course, assignments: list[str], folder: Path) -> int:
    """Write one page for each learner, with all the assignments; how many that are."""
    students = sorted({student for name in assignments for student in course.students(name, "feedback")})
    pages = {student: page for student in students if (page := page_of(course, student, assignments))}
    if not pages:
        raise CourseError(f"there is no feedback page of {', '.join(assignments)} yet: run `attn course grade` first")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for student, page in pages.items():
            write_whole(folder / f"{student}.html", page)
    except OSError as error:
        raise CourseError(f"{error.filename} cannot be written: {why(error)}") from None
    return len(pages)


def page_of(course: Course, student: str, assignments: list[str]) -> str:
    """All the feedback pages of a learner as one that stands alone; empty where there is none."""
    whole = ""
    parts: list[str] = []
    for assignment in assignments:
        pages, planned = pages_in(course, assignment, student), course.plan.assignment(assignment)
        for path in sorted(filter(Path.is_file, pages), key=lambda path: planned.place_of(path.stem)):
            whole = path.read_text(encoding="utf-8")
            main = _MAIN.search(whole)
            parts.append(f'<div id="of-{path.stem}">{main[1] if main else ""}</div>')
    if not parts:
        return ""
    inside = re.sub(r'href="([\w%.-]+)\.html"', r'href="#of-\1"', "<hr>".join(parts))
    head, _, _ = whole.partition("<main>")
    return f"{head}<main>{inside}</main></body></html>"


def _write_zip(path: Path, members: dict[str, str]) -> None:
    with writing(path):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "wb") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, page in members.items():
                archive.writestr(name, page)
