"""One command that shows the whole classroom: a course, a sample class, grades, feedback and the report."""

import webbrowser
from pathlib import Path

from rich.console import Console
from rich.text import Text

from autograder.boundary import sandbox
from autograder.chapters.errors import CourseError
from autograder.classroom import summary
from autograder.classroom.course.course import CONFIG, Course, find_course
from autograder.classroom.course.new import new_course
from autograder.classroom.demo.sample_class import CLASS, DUE, UNIT, hand_in
from autograder.classroom.inbox import exchange
from autograder.classroom.marking.grade import grade_course
from autograder.classroom.release.build import build_assignments
from autograder.classroom.returns.exports.scores import overview
from autograder.classroom.returns.feedback.write import write_pages
from autograder.classroom.returns.report.page import write_report
from autograder.grading.executors import processes

SETTINGS = Path(__file__).parent / "templates" / "late_policy.py"


def run_demo(folder: Path, is_opened: bool) -> int:
    """Do what a teacher does with `attn course new | build | release | grade | feedback | report`, and say so.

    Gives the exit code: 3 where we failed at something, else 0.
    """
    sandbox.require(False)  # before there is anything to clear away
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CourseError(f"{folder} is there already: name a folder that is new or empty, or delete it")
    console = Console(highlight=False, markup=False)
    course = _handed_in(folder, console)
    code = _graded(course, console)
    report = folder / "report.html"
    _step(console, f"report {UNIT} --course {folder}")
    write_report(course, [UNIT], report)
    _step(console, f"overview --course {folder}")
    summary.show_overview(*overview(course))
    summary.say(
        "What to look at:",
        f"report      {report}",
        f"feedback    {folder / 'feedback' / 'student-06' / UNIT / 'one_query.html'}",
        f"Formgrader  attn lab {folder}",
        f"gradebook   attn course overview --csv overview.csv --course {folder}",
    )
    if is_opened:
        webbrowser.open(report.resolve().as_uri())
    return code


def _step(console: Console, command: str) -> None:
    console.print(Text(f"$ attn course {command}", style="bold"))


def _handed_in(folder: Path, console: Console) -> Course:
    _step(console, f"new {folder}")
    new_course(folder)
    with (folder / CONFIG).open("a", encoding="utf-8") as config:
        config.write(f"\n{SETTINGS.read_text(encoding='utf-8')}")
    course = find_course(folder)
    course.set_key(UNIT, "due", DUE)
    _step(console, f"build --course {folder}")
    build_assignments(course, console.print)
    (folder / "exchange").mkdir()
    _step(console, f"release {UNIT} --course {folder}")
    exchange.release(course, [UNIT])
    hand_in(course)
    console.print(f"A sample class of {len(CLASS)} has handed in.")
    return course


def _graded(course: Course, console: Console) -> int:
    progress = Console(stderr=True, highlight=False)
    _step(console, f"grade {UNIT} --course {course.folder}")
    code = summary.show_graded(course, grade_course(course, [UNIT], False, processes(0, worth=10), progress))
    _step(console, f"feedback {UNIT} --course {course.folder}")
    pages = write_pages(course, [UNIT], progress)
    return max(code, summary.show_pages(course, pages, 0))
