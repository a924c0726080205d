"""Output of feedback pages: to the course's folder, the exchange, a zip file for platforms, and files for e-mail."""

import glob
import io
import zipfile
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from autograder.api import show_progress
from autograder.chapters.errors import CourseError, UnreadableAnswer, sentence_of
from autograder.chapters.files import read_plain, write_file, write_output
from autograder.chapters.text import join_names
from autograder.classroom.course.course import Course
from autograder.classroom.inbox.handed import MAX_MARKER_BYTES, NOT_WORK
from autograder.classroom.inbox.owners import read_origins
from autograder.classroom.roster.counted import find_submitters, list_submission_names


def write_pages(course: Course, assignments: list[str], console: Console) -> dict[tuple[str, str], str]:
    """Write the pages of all graded submissions. Return (assignment, student) -> reason why there is no page, or ""."""
    submitters = {name: sorted({*find_submitters(course, name, "autograded").values()}) for name in assignments}
    if not (total := sum(map(len, submitters.values()))):
        raise CourseError(f"nothing has been graded for {', '.join(assignments)}: run `attn course grade` first")
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


def write_zip(course: Course, assignment: str, path: Path) -> str:
    """Write a zip file of pages with the file names that platforms expect, and return a sentence for the teacher."""
    from autograder.classroom.returns.feedback_page import render_page, view_notebooks  # noqa: PLC0415

    origins, names = read_origins(course, assignment), list_submission_names(course, assignment)
    members, strangers = dict[str, str](), list[str]()
    for student, submitter in find_submitters(course, assignment, "feedback").items():
        prefix = origins.get(student, {}).get("prefix")
        if views := view_notebooks(course, assignment, submitter, names.get(submitter, submitter)):
            members[f"{prefix or f'{student}/'}{assignment}-feedback.html"] = render_page(views)
            strangers += [] if prefix else [student]
    if not members:
        raise CourseError(f"there is no feedback page of {assignment} yet: run `attn course grade {assignment}` first")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in members.items():
            archive.writestr(name, page)
    write_output(path, data.getvalue())
    where = f", those of {join_names(strangers)} in folders of their own" if strangers else ""
    return f"{path}: the pages of {len(members)} learners{where}. docs/teacher.md says where to upload it."
