"""Output of feedback pages: to the course's folder, the exchange, a zip file for platforms, and files for e-mail."""

import glob
import io
import zipfile
from collections import defaultdict
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.api import show_progress
from autograder.chapters.errors import CourseError, UnreadableAnswer, reason_of, sentence_of
from autograder.chapters.files import read_plain, write_file, write_output
from autograder.chapters.text import join_names
from autograder.classroom.course.course import Course
from autograder.classroom.inbox.handed import NOT_WORK
from autograder.classroom.inbox.owners import read_origins
from autograder.classroom.roster.counted import find_submitters, list_submission_names

MAX_MARKER_BYTES = 4096  # size of `timestamp.txt` or `submission_secret.txt`


def write_pages(course: Course, assignments: list[str], console: Console) -> dict[tuple[str, str], str]:
    """Write the pages of all graded submissions. Return (assignment, student) -> reason why there is no page, or ""."""
    submitters = {name: sorted({*find_submitters(course, name, "autograded").values()}) for name in assignments}
    if not (total := sum(map(len, submitters.values()))):
        raise CourseError(
            f"nothing has been graded for {', '.join(assignments)}: run `attn course grade --course {course.folder}`"
        )
    outcome = dict[tuple[str, str], str]()
    with show_progress(console, "pages", total) as advance:
        for name, students in submitters.items():
            names = list_submission_names(course, name)
            for student in students:
                try:
                    outcome[name, student] = _write_pages_of(course, name, student, names.get(student, student))
                except Exception as error:  # An error in one page must not prevent the others.
                    outcome[name, student] = sentence_of(error)
                advance()
    return outcome


def _write_pages_of(course: Course, assignment: str, student: str, names: str) -> str:
    """Write the pages of a submission. Return the reason if there are none, otherwise ""."""
    from autograder.classroom.returns.feedback_page import render_page, view_notebooks  # noqa: PLC0415  (slow to import)

    folder = course.folder_of("feedback", student, assignment)
    if folder.is_symlink() or folder.parent.is_symlink():
        return f"{folder} is a link: remove it"
    views = view_notebooks(course, assignment, student, names)
    if not views:
        return "its notebooks are not in autograded/: run attn course grade"
    folder.mkdir(parents=True, exist_ok=True)
    for name in NOT_WORK:
        with suppress(UnreadableAnswer):
            marker = course.folder_of("autograded", student, assignment) / name
            write_file(folder / name, read_plain(marker, MAX_MARKER_BYTES))
    for view in views:
        write_file(folder / f"{view['name']}.html", render_page([view]))
    return ""


def return_pages(course: Course, assignments: list[str], exchange: Path | None) -> int:
    """Copy pages to the exchange, if there is one, for work that came through it. Return the number of submissions."""
    if not (exchange or course.has_exchange):
        return 0
    from autograder.classroom.inbox.exchange import run_exchange, use_exchange  # noqa: PLC0415  (imports nbgrader)

    use_exchange(course, exchange)
    # The exchange recognises a submission by this file. Hubs use `timestamp.txt`, which platforms' downloads have, too.
    is_hub, count = course.settings["is_hub"], 0
    marker = "timestamp.txt" if is_hub else "submission_secret.txt"
    for name in assignments:
        downloaded = read_origins(course, name) if is_hub else {}
        for student in course.list_students(name, "feedback"):
            if (course.folder_of("feedback", student, name) / marker).exists() and student not in downloaded:
                run_exchange(course, "ReleaseFeedback", name, student_id=glob.escape(student))
                count += 1
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
    from autograder.classroom.returns.feedback_page import render_page, view_notebooks  # noqa: PLC0415

    views = list[dict[str, Any]]()
    for assignment, submitter in submitters.items():
        if course.folder_of("feedback", submitter, assignment).is_dir():
            names = list_submission_names(course, assignment).get(submitter, submitter)
            views += view_notebooks(course, assignment, submitter, names)
    return render_page(views) if views else ""
