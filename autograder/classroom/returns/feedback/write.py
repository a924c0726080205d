"""Writes feedback pages for all who have been graded, also as a zip file for Moodle and Canvas, or for mail."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from nbgrader.api import Gradebook
from rich.console import Console

from autograder.api import progress_bar
from autograder.chapters.errors import CourseError, UnreadableAnswer, sentence_of, why
from autograder.chapters.files import read_plain, write_output, write_whole
from autograder.chapters.text import listed
from autograder.classroom.course.course import Course
from autograder.classroom.inbox.handed import NOT_WORK
from autograder.classroom.inbox.owners import read_origins
from autograder.classroom.marking.verdicts import kit_version
from autograder.classroom.returns.feedback.page import WITHHELD, Shown, names_of, page, shown_of
from autograder.classroom.roster.groups import authors

MAX_BYTES = 4096  # of each
WRITTEN = ".pages.json"  # file in the course's folder: page -> a hash of its content


def write_pages(course: Course, assignments: list[str], console: Console) -> dict[tuple[str, str], str]:
    """Write pages with new content; return (assignment, student) -> why there is none, or an empty string."""
    whose = {name: sorted({*authors(course, name, "autograded").values()}) for name in assignments}
    if not (total := sum(map(len, whose.values()))):
        raise CourseError(
            f"nothing has been graded for {', '.join(assignments)}: run `attn course grade --course {course.folder}`"
        )
    outcome, written = dict[tuple[str, str], str](), _read_written(course)
    with progress_bar(console, "pages", total) as advance, course.gradebook() as gradebook:
        for name, students in whose.items():
            names = names_of(course, name)
            for student in students:
                try:
                    shown = shown_of(course, gradebook, name, student, names.get(student, student))
                    outcome[name, student] = _write(course, name, student, shown, written)
                except Exception as error:  # a page that fails must not stop the others
                    outcome[name, student] = sentence_of(error)
                advance()
    write_whole(course.folder / WRITTEN, json.dumps(written), 0o600)
    return outcome


def _read_written(course: Course) -> dict[str, str]:
    with suppress(OSError, ValueError):
        return json.loads((course.folder / WRITTEN).read_text(encoding="utf-8"))
    return {}


def _write(course: Course, assignment: str, student: str, shown: list[Shown], written: dict[str, str]) -> str:
    folder = course.folder_of("feedback", student, assignment)
    if folder.is_symlink() or folder.parent.is_symlink():
        return f"{folder} is a link: take it away"
    folder.mkdir(parents=True, exist_ok=True)
    for name in NOT_WORK:  # the exchange recognises a submission by these; other submitted files are not our pages
        with suppress(UnreadableAnswer):
            content = read_plain(course.folder_of("autograded", student, assignment) / name, MAX_BYTES)
            write_whole(folder / name, content)
    for each in shown:
        path = folder / f"{each['name']}.html"
        digest = hashlib.sha256(repr((kit_version(), each)).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        key = path.relative_to(course.folder).as_posix()
        if written.get(key) != digest or not path.is_file() or path.is_symlink():
            write_whole(path, page([each]))
            written[key] = digest
    return "" if shown else "its notebooks are not in autograded/: run attn course grade"


def returnable(course: Course, assignments: list[str], named: Collection[str], log: Callable[[str], None]) -> list[str]:
    """Return assignments whose pages may be written now. Raises `CourseError` if a named one may not."""
    returned = [name for name in assignments if course.plan.assignment(name).returns_feedback]
    for name in assignments:
        if name in named and name not in returned:
            raise CourseError(WITHHELD.format(name))
        if name not in returned:
            log(f"{name}: no pages yet; `attn course feedback {name} --release` lets them go back")
    return returned


def pack(course: Course, assignment: str, path: Path) -> list[str]:
    """Write a zip file of pages under the names that platforms expect, and return sentences."""
    origins = read_origins(course, assignment)
    strangers: list[str] = []
    members: dict[str, str] = {}
    platforms: set[str] = set()
    with course.gradebook() as gradebook:
        for student, author in authors(course, assignment, "feedback").items():
            whole, origin = page_of(course, gradebook, {assignment: author}), origins.get(student, {})
            prefix = origin.get("prefix") or f"{student}/"
            platforms.add(origin.get("platform", ""))
            if not origin.get("platform"):
                strangers.append(student)
            if whole:
                members[f"{prefix}{assignment}-feedback.html"] = whole
    if not members:
        raise CourseError(f"there is no feedback page of {assignment} yet: run `attn course grade {assignment}` first")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, whole in members.items():
            archive.writestr(name, whole)
    write_output(path, data.getvalue())
    sentences = [f"{path}: the pages of {len(members)} learners."]
    if "moodle" in platforms:
        sentences.append(
            "Moodle: in the assignment's settings, Feedback types > Feedback files; then Submissions > Upload multiple "
            "feedback files in a zip."
        )
    if "canvas" in platforms:
        sentences.append("Canvas: Upload Submissions, beside Download Submissions; each file becomes a comment.")
    if strangers:
        sentences.append(f"In folders of their own, as they came from no platform: {listed(strangers)}.")
    return sentences


def write_files(course: Course, assignments: list[str], folder: Path) -> int:
    """Write one page for each learner, with all assignments, and return how many."""
    whose: dict[str, dict[str, str]] = {}  # student -> assignment -> whose work counts for them
    for name in assignments:
        for student, author in authors(course, name, "feedback").items():
            whose.setdefault(student, {})[name] = author
    with course.gradebook() as gradebook:
        made = {student: page_of(course, gradebook, works) for student, works in sorted(whose.items())}
    pages = {student: whole for student, whole in made.items() if whole}
    if not pages:
        raise CourseError(f"there is no feedback page of {', '.join(assignments)} yet: run `attn course grade` first")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for student, whole in pages.items():
            write_whole(folder / f"{student}.html", whole)
    except OSError as error:
        raise CourseError(f"{error.filename} cannot be written: {why(error)}") from None
    return len(pages)


def page_of(course: Course, gradebook: Gradebook, works: dict[str, str]) -> str:
    shown = list[Shown]()
    for assignment, author in works.items():
        if course.folder_of("feedback", author, assignment).is_dir():
            names = names_of(course, assignment).get(author, author)
            shown += shown_of(course, gradebook, assignment, author, names)
    return page(shown) if shown else ""
