"""Output of feedback pages: to the course's folder, the exchange, a zip file for platforms, and files for e-mail."""

import glob
import hashlib
import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.api import show_progress
from autograder.chapters import curriculum
from autograder.chapters.errors import CourseError, UnreadableAnswer, reason_of, sentence_of
from autograder.chapters.files import read_file_version, read_plain, write_file, write_output
from autograder.chapters.text import join_names
from autograder.classroom.course.course import Course
from autograder.classroom.gradebook.queries import GradedWork, read_graded_notebooks
from autograder.classroom.inbox.handed import NOT_WORK
from autograder.classroom.inbox.owners import read_origins
from autograder.classroom.marking.verdicts import NotebookPlace, read_kit_version
from autograder.classroom.roster.groups import find_submitters, list_submission_names

MAX_MARKER_BYTES = 4096  # size of `timestamp.txt` or `submission_secret.txt`
WRITTEN = ".pages.json"  # file in the course's folder, with a `Record`
# "pages" (written) and "returned" (also in the exchange) are "student/assignment" -> hash of the pages' content.
# "exchange" is a signature of the exchange's folder, which reveals changes by other programs.
Record = dict[str, Any]
Graded = tuple[
    str, dict[str, GradedWork]
]  # (names of all for whom a submission counts, chapter -> points and comments)


def write_pages(course: Course, assignments: list[str], console: Console) -> dict[tuple[str, str], str]:
    """Write the pages whose content has changed. Return (assignment, student) -> reason why there is no page, or ""."""
    submitters = {name: sorted({*find_submitters(course, name, "autograded").values()}) for name in assignments}
    if not (total := sum(map(len, submitters.values()))):
        raise CourseError(
            f"nothing has been graded for {', '.join(assignments)}: run `attn course grade --course {course.folder}`"
        )
    outcome, record = dict[tuple[str, str], str](), _read_record(course)
    with show_progress(console, "pages", total) as advance:
        for name, students in submitters.items():
            names, notebooks = list_submission_names(course, name), read_graded_notebooks(course.query, name)
            for student in students:
                try:
                    work = names.get(student, student), notebooks.get(student, {})
                    outcome[name, student] = _write_pages_of(course, name, student, work, record["pages"])
                except Exception as error:  # An error in one page must not prevent the others.
                    outcome[name, student] = sentence_of(error)
                advance()
    write_file(course.folder / WRITTEN, json.dumps(record), 0o600)
    return outcome


def _read_record(course: Course) -> Record:
    """Return the record of written pages. It is empty if there is no file or if an earlier version wrote it."""
    with suppress(OSError, ValueError, KeyError):
        record = json.loads((course.folder / WRITTEN).read_text(encoding="utf-8"))
        return {key: record[key] for key in ("pages", "returned", "exchange")}
    return {"pages": {}, "returned": {}, "exchange": []}


def _hash_content(course: Course, assignment: str, student: str, work: Graded) -> str:
    """Return a hash of everything that is shown on the pages of a submission."""
    names, notebooks = work
    spec, folder = course.plan.get_assignment(assignment), course.folder_of("autograded", student, assignment)
    values = read_kit_version(), names, spec.chapters, spec.waived, sorted(notebooks.items())
    digest = hashlib.sha256(repr(values).encode("utf-8", "surrogatepass"))
    paths = [folder / name for name in NOT_WORK]
    for chapter in sorted(notebooks):
        verdicts = NotebookPlace(student, assignment, chapter).get_verdict_path(course.folder)
        paths += [folder / f"{chapter}.ipynb", verdicts, curriculum.solution_of(chapter)]
    for path in paths:
        content = path.read_bytes() if path.is_file() else b""
        digest.update(f"{len(content)} ".encode() + content)
    return digest.hexdigest()[:32]


def _write_pages_of(course: Course, assignment: str, student: str, work: Graded, record: dict[str, str]) -> str:
    """Write the pages of a submission unless they are up to date. Return the reason if there are none, otherwise ""."""
    folder = course.folder_of("feedback", student, assignment)
    if folder.is_symlink() or folder.parent.is_symlink():
        return f"{folder} is a link: remove it"
    autograded, key = course.folder_of("autograded", student, assignment), f"{student}/{assignment}"
    paths = [folder / f"{chapter}.html" for chapter in work[1] if (autograded / f"{chapter}.ipynb").exists()]
    if not paths:
        return "its notebooks are not in autograded/: run attn course grade"
    digest = _hash_content(course, assignment, student, work)
    if record.get(key) == digest and all(path.is_file() and not path.is_symlink() for path in paths):
        return ""
    from autograder.classroom.returns.feedback.page import render_page, view_notebooks  # noqa: PLC0415  (slow to import)

    folder.mkdir(parents=True, exist_ok=True)
    for name in NOT_WORK:
        with suppress(UnreadableAnswer):
            write_file(folder / name, read_plain(autograded / name, MAX_MARKER_BYTES))
    for view in view_notebooks(course, assignment, student, work[0]):
        write_file(folder / f"{view['name']}.html", render_page([view]))
    record[key] = digest
    return ""


def return_pages(course: Course, assignments: list[str], exchange: Path | None) -> int:
    """Copy new pages to the exchange for work that was submitted through it. Return the number of submissions."""
    record, is_hub = _read_record(course), course.settings["is_hub"]
    root, course_id = exchange or Path(course.settings["exchange"]), course.settings["course_id"] or "*"

    def compute_exchange_signature() -> list[list[object]]:
        """Return a value that changes when another program writes or deletes pages in the exchange."""
        return [[*(read_file_version(path) or ())] for path in root.resolve().glob(f"{course_id}/feedback")]

    if is_hub or compute_exchange_signature() != record["exchange"]:
        record["returned"] = dict[str, str]()
    # The exchange recognises a submission by this file. Hubs use `timestamp.txt`, which platforms' downloads have, too.
    marker, count = "timestamp.txt" if is_hub else "submission_secret.txt", 0
    for name in assignments:
        downloaded = read_origins(course, name) if is_hub else {}
        for student in course.list_students(name, "feedback"):
            key, is_known = f"{student}/{name}", (course.folder_of("feedback", student, name) / marker).exists()
            is_returned = record["returned"].get(key) == record["pages"].get(key, "")
            if is_known and student not in downloaded and not is_returned:
                from autograder.classroom.inbox import exchange as exchanges  # noqa: PLC0415  (imports nbgrader)

                exchanges.use_exchange(course, exchange)
                exchanges.run_exchange(course, "ReleaseFeedback", name, student_id=glob.escape(student))
                record["returned"][key] = record["pages"].get(key)
                count += 1
    if count:
        write_file(course.folder / WRITTEN, json.dumps(record | {"exchange": compute_exchange_signature()}), 0o600)
    return count


def select_returnable(
    course: Course, assignments: list[str], names: Collection[str], log: Callable[[str], None]
) -> list[str]:
    """Return the assignments whose pages may be returned now. Raises `CourseError` if one in `names` may not be."""
    returnable = [name for name in assignments if course.plan.get_assignment(name).returns_feedback]
    for name in assignments:
        if name in names:
            course.plan.get_assignment(name).require_feedback()
        if name not in returnable:
            log(f"{name}: no pages yet; `attn course feedback {name} --release` releases them")
    return returnable


def write_zip(course: Course, assignment: str, path: Path) -> list[str]:
    """Write a zip file of pages with the file names that platforms expect, and return sentences for the teacher."""
    origins = read_origins(course, assignment)
    members, platform_of = dict[str, str](), dict[str, str]()
    for student, submitter in find_submitters(course, assignment, "feedback").items():
        page, origin = make_page(course, {assignment: submitter}), origins.get(student, {})
        platform_of[student] = origin.get("platform", "")
        if page:
            members[f"{origin.get('prefix') or f'{student}/'}{assignment}-feedback.html"] = page
    if not members:
        raise CourseError(f"there is no feedback page of {assignment} yet: run `attn course grade {assignment}` first")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in members.items():
            archive.writestr(name, page)
    write_output(path, data.getvalue())
    sentences = [f"{path}: the pages of {len(members)} learners."]
    if "moodle" in platform_of.values():
        sentences.append(
            "Moodle: in the assignment's settings, Feedback types > Feedback files; then Submissions > Upload multiple "
            "feedback files in a zip."
        )
    if "canvas" in platform_of.values():
        sentences.append("Canvas: Upload Submissions, next to Download Submissions; each file becomes a comment.")
    if strangers := [student for student, platform in platform_of.items() if not platform]:
        sentences.append(f"In separate folders, because they did not come from a platform: {join_names(strangers)}.")
    return sentences


def write_files(course: Course, assignments: list[str], folder: Path) -> int:
    """Write one page for each learner, with the feedback on all assignments, and return the number of pages."""
    submitters = defaultdict[str, dict[str, str]](dict)
    for name in assignments:
        for student, submitter in find_submitters(course, name, "feedback").items():
            submitters[student][name] = submitter
    pages = {student: page for student, names in sorted(submitters.items()) if (page := make_page(course, names))}
    if not pages:
        raise CourseError(f"there is no feedback page of {', '.join(assignments)} yet: run `attn course grade` first")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for student, page in pages.items():
            write_file(folder / f"{student}.html", page)
    except OSError as error:
        raise CourseError(f"{error.filename} cannot be written: {reason_of(error)}") from None
    return len(pages)


def make_page(course: Course, submitters: dict[str, str]) -> str:
    """Return one page for several assignments, or "" if there is no feedback. `submitters`: assignment -> submitter."""
    from autograder.classroom.returns.feedback.page import render_page, view_notebooks  # noqa: PLC0415

    views = list[dict[str, Any]]()
    for assignment, submitter in submitters.items():
        if course.folder_of("feedback", submitter, assignment).is_dir():
            names = list_submission_names(course, assignment).get(submitter, submitter)
            views += view_notebooks(course, assignment, submitter, names)
    return render_page(views) if views else ""
