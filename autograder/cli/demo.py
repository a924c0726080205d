"""The command `attn course demo`: a course with a sample class, its grades, feedback and report."""

import datetime
from pathlib import Path
from typing import Any

import click
import nbformat
import tomlkit
from nbformat import v4
from rich.console import Console
from rich.text import Text

from autograder.api import apply_mistake, sandbox
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import CourseError
from autograder.classroom import summary
from autograder.classroom.course.course import CONFIG, Course, find_course
from autograder.classroom.course.times import UTC, format_utc
from autograder.classroom.roster.people import split_name

Learner = dict[str, Any]  # the table of one learner in `class.toml`

UNIT = "attention-basics"
TEMPLATES = Path(__file__).parent / "templates"
DUE = datetime.datetime(2026, 1, 12, 12, tzinfo=UTC)
CLASS: dict[str, Learner] = tomlkit.parse((TEMPLATES / "class.toml").read_text(encoding="utf-8")).unwrap()
_FORGED = v4.new_output("execute_result", {"text/plain": "99.0", "text/html": "<script>alert('forged')</script>"})


def hand_in_sample_answers(course: Course) -> None:
    with course.open_gradebook() as gradebook:
        for student, learner in CLASS.items():
            gradebook.add_student(student, **split_name(f"student {student[-2:]} ({learner['words']})"))
    for student, learner in CLASS.items():
        if "hours" in learner:
            folder = course.folder_of("submitted", student, UNIT)
            folder.mkdir(parents=True)
            handed_in = DUE + datetime.timedelta(hours=learner["hours"])
            (folder / "timestamp.txt").write_text(format_utc(handed_in), encoding="utf-8")
            answers = _make_answers(learner)
            for chapter in curriculum.UNITS[UNIT]:
                released_path = course.folder / "release" / UNIT / f"{chapter}.ipynb"
                text = learner.get("file") or _fill_in_answers(released_path, answers, learner.get("forged", False))
                (folder / f"{chapter}.ipynb").write_text(text, encoding="utf-8")


def _make_answers(learner: Learner) -> dict[str, str]:
    exercises = [each for chapter in curriculum.UNITS[UNIT] for each in read_chapter(chapter).exercises]
    begun_exercises = exercises[: learner.get("begun")]
    mistakes = learner.get("mistakes", {})
    answers = {each.name: apply_mistake(each, mistakes[each.name]) for each in begun_exercises if each.name in mistakes}
    return {each.name: each.solution for each in begun_exercises} | answers | learner.get("answers", {})


def _fill_in_answers(released_path: Path, answers: dict[str, str], is_forged: bool) -> str:
    notebook: Any = nbformat.read(released_path, as_version=4)
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("solution"):
            cell.source = answers.get(marks["grade_id"].removesuffix("-answer"), cell.source).strip()
        if is_forged and marks.get("grade"):
            cell.outputs, marks["points"] = [_FORGED], 99
    return nbformat.writes(notebook)


def run_demo(course_command: click.Command, folder: Path) -> int:
    """Run `attn course` from `new` to `overview`, and return the exit code."""
    sandbox.require_sandbox(False)  # Check this first, so that a refused command creates no folder.
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CourseError(f"{folder} already exists: name a new or empty folder, or delete it")
    terminal, place = Console(highlight=False), ("--course", str(folder))

    def run(*arguments: str) -> int:
        terminal.print(Text(f"$ attn course {' '.join(arguments)}", style="bold"))
        return course_command.main(arguments, standalone_mode=False) or 0

    run("new", str(folder))
    with (folder / CONFIG).open("a", encoding="utf-8") as config:
        config.write(f"\n{(TEMPLATES / 'late_policy.py').read_text(encoding='utf-8')}")
    course = find_course(folder)
    course.set_key(UNIT, "due", DUE)
    run("build", *place)
    (folder / "exchange").mkdir()
    run("release", UNIT, *place)
    hand_in_sample_answers(course)
    summary.say(f"A sample class of {len(CLASS)} has submitted its work.")
    code = max(run(command, UNIT, *place) for command in ("grade", "feedback", "report"))
    run("overview", *place)
    summary.say(
        "What to look at:",
        f"report      {folder / 'report.html'}",
        f"feedback    {folder / 'feedback' / 'student-06' / UNIT / 'one_query.html'}",
        f"Formgrader  attn lab {folder}",
        f"gradebook   attn course overview --csv overview.csv --course {folder}",
    )
    return code
