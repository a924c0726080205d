"""Hands in for the small class of `attn course demo`, which stands in `class.toml`."""

import datetime
from pathlib import Path
from typing import Any

import nbformat
import tomlkit
from nbformat import v4

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import UTC, stamp
from autograder.classroom.roster.people import split_name
from autograder.judging.mistakes.solution_edits import source_with_mistake

Learner = dict[str, Any]  # a table of `class.toml`

UNIT = "attention-basics"
DUE = datetime.datetime(2026, 1, 12, 12, tzinfo=UTC)
CLASS: dict[str, Learner] = tomlkit.parse(Path(__file__).with_name("class.toml").read_text(encoding="utf-8")).unwrap()
_FORGED = v4.new_output("execute_result", {"text/plain": "99.0", "text/html": "<script>alert('forged')</script>"})


def hand_in(course: Course) -> None:
    """Put the class into the gradebook of a course that has been built, and what it hands in where it belongs."""
    with course.gradebook() as gradebook:
        for student, learner in CLASS.items():
            gradebook.add_student(student, **split_name(f"student {student[-2:]} ({learner['words']})"))
    for student, learner in CLASS.items():
        if "hours" in learner:
            folder = course.folder_of("submitted", student, UNIT)
            folder.mkdir(parents=True)
            handed_in = DUE + datetime.timedelta(hours=learner["hours"])
            (folder / "timestamp.txt").write_text(stamp(handed_in), encoding="utf-8")
            answers = _answers_of(learner)
            for chapter in curriculum.UNITS[UNIT]:
                released = course.folder / "release" / UNIT / f"{chapter}.ipynb"
                text = learner.get("file") or _answered(released, answers, learner.get("forged", False))
                (folder / f"{chapter}.ipynb").write_text(text, encoding="utf-8")


def _answers_of(learner: Learner) -> dict[str, str]:
    """Exercise -> what the learner answers."""
    exercises = [each for chapter in curriculum.UNITS[UNIT] for each in read_chapter(chapter).exercises]
    begun = exercises[: learner.get("begun")]
    mistakes = learner.get("mistakes", {})
    answers = {each.name: source_with_mistake(each, mistakes[each.name]) for each in begun if each.name in mistakes}
    return {each.name: each.solution for each in begun} | answers | learner.get("answers", {})


def _answered(released: Path, answers: dict[str, str], is_forged: bool) -> str:
    notebook: Any = nbformat.read(released, as_version=4)
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("solution"):
            cell.source = answers.get(marks["grade_id"].removesuffix("-answer"), cell.source).strip()
        if is_forged and marks.get("grade"):
            cell.outputs, marks["points"] = [_FORGED], 99
    return nbformat.writes(notebook)
