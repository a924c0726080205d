"""Writes feedback pages for all who have been graded, also as a zip file for Moodle and Canvas, or for mail."""

import glob
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.api import progress_bar
from autograder.chapters import curriculum
from autograder.chapters.errors import CourseError, UnreadableAnswer, reason_of, sentence_of
from autograder.chapters.files import file_version, read_plain, write_output, write_whole
from autograder.chapters.text import join_names
from autograder.classroom.course.course import Course
from autograder.classroom.gradebook.queries import Work, works
from autograder.classroom.inbox.handed import NOT_WORK
from autograder.classroom.inbox.owners import read_origins
from autograder.classroom.marking.verdicts import Place, kit_version
from autograder.classroom.roster.groups import authors, names_of

MAX_BYTES = 4096  # of each
WRITTEN = ".pages.json"  # file in the course's folder, with a `Record`
# "pages" and "returned": "student/assignment" -> a hash of what the pages show that were written, and that are in the
# exchange; "exchange": the signature of its folder after that.
Record = dict[str, Any]
Graded = tuple[str, dict[str, Work]]  # the names of all for whom a submission counts; chapter -> points and comments


def write_pages(course: Course, assignments: list[str], console: Console) -> dict[tuple[str, str], str]:
    """Write pages with new content; return (assignment, student) -> why there is none, or an empty string."""
    whose = {name: sorted({*authors(course, name, "autograded").values()}) for name in assignments}
    if not (total := sum(map(len, whose.values()))):
        raise CourseError(
            f"nothing has been graded for {', '.join(assignments)}: run `attn course grade --course {course.folder}`"
        )
    outcome, record = dict[tuple[str, str], str](), _read_record(course)
    with progress_bar(console, "pages", total) as advance:
        for name, students in whose.items():
            names, found = names_of(course, name), works(course.read, name)
            for student in students:
                try:
                    graded = names.get(student, student), found.get(student, {})
                    outcome[name, student] = _write(course, name, student, graded, record["pages"])
                except Exception as error:  # a page that fails must not stop the others
                    outcome[name, student] = sentence_of(error)
                advance()
    write_whole(course.folder / WRITTEN, json.dumps(record), 0o600)
    return outcome


def _read_record(course: Course) -> Record:
    """Return what was written and returned; an earlier version's record counts as none."""
    with suppress(OSError, ValueError, KeyError):
        record = json.loads((course.folder / WRITTEN).read_text(encoding="utf-8"))
        return {key: record[key] for key in ("pages", "returned", "exchange")}
    return {"pages": {}, "returned": {}, "exchange": []}


def _digest(course: Course, assignment: str, student: str, graded: Graded) -> str:
    """Return a hash of everything that the pages of a submission show."""
    names, found = graded
    planned, folder = course.plan.assignment(assignment), course.folder_of("autograded", student, assignment)
    shown = kit_version(), names, planned.chapters, planned.waived, sorted(found.items())
    digest = hashlib.sha256(repr(shown).encode("utf-8", "surrogatepass"))
    paths = [folder / name for name in NOT_WORK]
    for chapter in sorted(found):
        verdicts = Place(student, assignment, chapter).verdicts_in(course.folder)
        paths += [folder / f"{chapter}.ipynb", verdicts, curriculum.solution_of(chapter)]
    for path in paths:
        content = path.read_bytes() if path.is_file() else b""
        digest.update(f"{len(content)} ".encode() + content)
    return digest.hexdigest()[:32]


def _write(course: Course, assignment: str, student: str, graded: Graded, written: dict[str, str]) -> str:
    folder = course.folder_of("feedback", student, assignment)
    if folder.is_symlink() or folder.parent.is_symlink():
        return f"{folder} is a link: remove it"
    autograded, key = course.folder_of("autograded", student, assignment), f"{student}/{assignment}"
    paths = [folder / f"{chapter}.html" for chapter in graded[1] if (autograded / f"{chapter}.ipynb").exists()]
    if not paths:
        return "its notebooks are not in autograded/: run attn course grade"
    digest = _digest(course, assignment, student, graded)
    if written.get(key) == digest and all(path.is_file() and not path.is_symlink() for path in paths):
        return ""
    from autograder.classroom.returns.feedback.page import page, shown_of  # noqa: PLC0415  (slow to import)

    folder.mkdir(parents=True, exist_ok=True)
    for name in NOT_WORK:  # the exchange recognises a submission by these; other submitted files are not our pages
        with suppress(UnreadableAnswer):
            write_whole(folder / name, read_plain(autograded / name, MAX_BYTES))
    for each in shown_of(course, assignment, student, graded[0]):
        write_whole(folder / f"{each['name']}.html", page([each]))
    written[key] = digest
    return ""


def return_pages(course: Course, assignments: list[str], exchange: Path | None) -> int:
    """Put new pages of all who submitted through the exchange into it, and return how many learners that are."""
    record, is_hub = _read_record(course), course.settings["is_hub"]
    root, course_id = exchange or Path(course.settings["exchange"]), course.settings["course_id"] or "*"

    def place() -> list[list[object]]:  # changes when somebody else writes or deletes pages there
        return [[*(file_version(path) or ())] for path in root.resolve().glob(f"{course_id}/feedback")]

    if is_hub or place() != record["exchange"]:
        record["returned"] = dict[str, str]()
    # The file by which nbgrader's folder recognises a submission; hubs use the time, which downloads have too.
    known_by, count = "timestamp.txt" if is_hub else "submission_secret.txt", 0
    for name in assignments:
        downloaded = read_origins(course, name) if is_hub else {}
        for student in course.students(name, "feedback"):
            key, is_known = f"{student}/{name}", (course.folder_of("feedback", student, name) / known_by).exists()
            is_there = record["returned"].get(key) == record["pages"].get(key, "")
            if is_known and student not in downloaded and not is_there:
                from autograder.classroom.inbox import exchange as exchanges  # noqa: PLC0415  (imports nbgrader)

                exchanges.use_exchange(course, exchange)
                exchanges.run_exchange(course, "ReleaseFeedback", name, student_id=glob.escape(student))
                record["returned"][key] = record["pages"].get(key)
                count += 1
    if count:
        write_whole(course.folder / WRITTEN, json.dumps(record | {"exchange": place()}), 0o600)
    return count


def returnable(course: Course, assignments: list[str], named: Collection[str], log: Callable[[str], None]) -> list[str]:
    """Return assignments whose pages may be written now. Raises `CourseError` if a named one may not."""
    returned = [name for name in assignments if course.plan.assignment(name).returns_feedback]
    for name in assignments:
        if name in named and (withheld := course.plan.assignment(name).withheld):
            raise CourseError(withheld)
        if name not in returned:
            log(f"{name}: no pages yet; `attn course feedback {name} --release` lets them go back")
    return returned


def pack(course: Course, assignment: str, path: Path) -> list[str]:
    """Write a zip file of pages under the names that platforms expect, and return sentences."""
    origins = read_origins(course, assignment)
    strangers: list[str] = []
    members: dict[str, str] = {}
    platforms: set[str] = set()
    for student, author in authors(course, assignment, "feedback").items():
        whole, origin = page_of(course, {assignment: author}), origins.get(student, {})
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
        sentences.append("Canvas: Upload Submissions, next to Download Submissions; each file becomes a comment.")
    if strangers:
        sentences.append(f"In separate folders, because they did not come from a platform: {join_names(strangers)}.")
    return sentences


def write_files(course: Course, assignments: list[str], folder: Path) -> int:
    """Write one page for each learner, with all assignments, and return how many."""
    whose: dict[str, dict[str, str]] = {}  # student -> assignment -> whose work counts for them
    for name in assignments:
        for student, author in authors(course, name, "feedback").items():
            whose.setdefault(student, {})[name] = author
    made = {student: page_of(course, of_one) for student, of_one in sorted(whose.items())}
    pages = {student: whole for student, whole in made.items() if whole}
    if not pages:
        raise CourseError(f"there is no feedback page of {', '.join(assignments)} yet: run `attn course grade` first")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for student, whole in pages.items():
            write_whole(folder / f"{student}.html", whole)
    except OSError as error:
        raise CourseError(f"{error.filename} cannot be written: {reason_of(error)}") from None
    return len(pages)


def page_of(course: Course, whose: dict[str, str]) -> str:
    """Return one page with several assignments: assignment -> whose work counts."""
    from autograder.classroom.returns.feedback.page import page, shown_of  # noqa: PLC0415

    there = {name: author for name, author in whose.items() if course.folder_of("feedback", author, name).is_dir()}
    names = {name: names_of(course, name).get(author, author) for name, author in there.items()}
    shown = [each for name, author in there.items() for each in shown_of(course, name, author, names[name])]
    return page(shown) if shown else ""
