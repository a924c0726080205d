"""Feedback pages: nbgrader's own, many at a time; and back as a zip file for Moodle and Canvas, or by mail."""

import io
import re
import zipfile
from collections.abc import Callable, Collection
from concurrent.futures import BrokenExecutor, Future, as_completed
from contextlib import suppress
from pathlib import Path

from nbgrader.converters import GenerateFeedback
from nbgrader.utils import capture_log
from rich.console import Console

from autograder.chapters.errors import CourseError, UnreadableAnswer, why
from autograder.chapters.files import read_plain, write_whole, writing
from autograder.classroom.course.course import Course, course_in
from autograder.classroom.gradebook.calls import StepFailed, calling_nbgrader, succeeded
from autograder.classroom.inbox.handed import NOT_WORK
from autograder.classroom.inbox.owners import read_origins
from autograder.classroom.roster.groups import authors
from autograder.grading.many import progress_bar

MAX_BYTES = 4096  # of each
WITHHELD = (
    "the feedback of {0} is not to go back yet, as course.toml has it: `attn course feedback {0} --release` lets it"
)
_MAIN = re.compile(r"<main>(.*)</main>", re.DOTALL)
TOGETHER = 8  # students for whom one exporter, with its templates, is made


def write_pages(
    course: Course, assignments: list[str], make_executor: Callable, console: Console
) -> dict[tuple[str, str], str]:
    """Write the feedback pages of everybody who has been graded, with manual grades and comments as they are now.

    Gives (Assignment, student) -> why there is no page; empty where there is one.
    """
    whose = {name: sorted({*authors(course, name, "autograded").values()}) for name in assignments}
    if not (total := sum(map(len, whose.values()))):
        raise CourseError(
            f"nothing has been graded for {', '.join(assignments)}: run `attn course grade --course {course.folder}`"
        )
    outcome: dict[tuple[str, str], str] = {}
    with progress_bar(console, "pages", total) as advance, make_executor(total) as executor:
        futures: dict[Future, tuple[str, list[str]]] = {}

        def tell(done: Future) -> None:  # not below: where there is one process, all is done by then
            advance(len(futures[done][1]))

        for name, students in whose.items():
            for start in range(0, len(students), TOGETHER):
                some = students[start : start + TOGETHER]
                future = executor.submit(_pages, str(course.folder), name, some)
                futures[future] = name, some
                future.add_done_callback(tell)
        for future in as_completed(futures):
            name, some = futures[future]
            try:
                reasons = future.result()
            except BrokenExecutor as error:
                reasons = dict.fromkeys(some, f"the process that wrote it ended: {error}")
            outcome |= {(name, student): reasons[student] for student in some}
    return outcome


def pages_in(course: Course, assignment: str, student: str) -> list[Path]:
    """The pages of the notebooks that were graded, there or not: any other file is none that we wrote."""
    pages = course.folder_of("feedback", student, assignment)
    graded = course.folder_of("autograded", student, assignment).glob("*.ipynb")
    return [pages / f"{notebook.stem}.html" for notebook in graded]


class Pages(GenerateFeedback):
    """nbgrader's step for some students: one exporter for all of them."""

    students: list[str]

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Copy what the exchange asks for: whatever else a learner handed in does not go back as a page of ours."""
        for name in NOT_WORK:
            source = Path(self._format_source(assignment_id, student_id), name)
            place = Path(self._format_dest(assignment_id, student_id), name)
            with suppress(UnreadableAnswer):
                content = read_plain(source, MAX_BYTES)
                place.parent.mkdir(parents=True, exist_ok=True)
                write_whole(place, content)

    def init_notebooks(self) -> None:
        super().init_notebooks()
        wanted = {self._format_source(self.coursedir.assignment_id, student) for student in self.students}
        self.assignments = {place: found for place, found in self.assignments.items() if place in wanted}


def _pages(folder: str, assignment: str, students: list[str]) -> dict[str, str]:
    """Write the pages of some students; student -> why there is none. Runs in whatever process an executor chooses."""
    course = course_in(Path(folder))
    directory = course.directory()
    directory.assignment_id = assignment
    converter = Pages(coursedir=directory, config=course.config)
    converter.students, converter.force, why = students, True, ""
    try:
        with calling_nbgrader():
            succeeded(capture_log(converter))
    except StepFailed as failed:
        why = str(failed)
    is_written = {student: all(map(Path.is_file, pages_in(course, assignment, student))) for student in students}
    return {student: "" if is_written[student] else why or "nbgrader wrote no page" for student in students}


def returnable(course: Course, assignments: list[str], named: Collection[str], log: Callable[[str], None]) -> list[str]:
    """The assignments whose pages may be written by now; others are told, or refused with `CourseError` where named."""
    returned = [name for name in assignments if course.plan.assignment(name).returns_feedback]
    for name in assignments:
        if name in named and name not in returned:
            raise CourseError(WITHHELD.format(name))
        if name not in returned:
            log(f"{name}: no pages yet; `attn course feedback {name} --release` lets them go back")
    return returned


def pack(course: Course, assignment: str, path: Path) -> list[str]:
    """Write the pages of an assignment into a zip file, each under the name by which its platform knows the learner.

    Gives sentences for the teacher.
    """
    origins = read_origins(course, assignment)
    strangers: list[str] = []
    members: dict[str, str] = {}
    platforms: set[str] = set()
    for student, author in authors(course, assignment, "feedback").items():
        page, origin = page_of(course, {assignment: author}), origins.get(student, {})
        prefix = origin.get("prefix") or f"{student}/"
        platforms.add(origin.get("platform", ""))
        if not origin.get("platform"):
            strangers.append(student)
        if page:
            members[f"{prefix}{assignment}-feedback.html"] = page
    if not members:
        raise CourseError(f"there is no feedback page of {assignment} yet: run `attn course grade {assignment}` first")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in members.items():
            archive.writestr(name, page)
    with writing(path):
        write_whole(path, data.getvalue(), 0o600)
    sentences = [f"{path}: the pages of {len(members)} learners."]
    if "moodle" in platforms:
        sentences.append(
            "Moodle: in the assignment's settings, Feedback types > Feedback files; then Submissions > Upload multiple "
            "feedback files in a zip."
        )
    if "canvas" in platforms:
        sentences.append("Canvas: Upload Submissions, beside Download Submissions; each file becomes a comment.")
    if strangers:
        names = ", ".join(strangers[:10]) + " ..." * (len(strangers) > 10)
        sentences.append(f"Not collected from a platform, so in folders of their own that no platform knows: {names}.")
    return sentences


def write_files(course: Course, assignments: list[str], folder: Path) -> int:
    """Write one page for each learner, with all the assignments; how many that are."""
    whose: dict[str, dict[str, str]] = {}  # student -> assignment -> whose work counts for them
    for name in assignments:
        for student, author in authors(course, name, "feedback").items():
            whose.setdefault(student, {})[name] = author
    pages = {student: page for student, works in sorted(whose.items()) if (page := page_of(course, works))}
    if not pages:
        raise CourseError(f"there is no feedback page of {', '.join(assignments)} yet: run `attn course grade` first")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for student, page in pages.items():
            write_whole(folder / f"{student}.html", page)
    except OSError as error:
        raise CourseError(f"{error.filename} cannot be written: {why(error)}") from None
    return len(pages)


def page_of(course: Course, works: dict[str, str]) -> str:
    """The feedback pages of a learner as one that stands alone; empty where there is none.

    `works`: assignment -> whose work counts for them.
    """
    whole = ""
    parts: list[str] = []
    for assignment, author in works.items():
        pages, planned = pages_in(course, assignment, author), course.plan.assignment(assignment)
        for path in sorted(filter(Path.is_file, pages), key=lambda path: planned.place_of(path.stem)):
            whole = path.read_text(encoding="utf-8")
            main = _MAIN.search(whole)
            parts.append(f'<div id="of-{path.stem}">{main[1] if main else ""}</div>')
    if not parts:
        return ""
    inside = re.sub(r'href="([\w%.-]+)\.html"', r'href="#of-\1"', "<hr>".join(parts))
    head, _, _ = whole.partition("<main>")
    return f"{head}<main>{inside}</main></body></html>"
