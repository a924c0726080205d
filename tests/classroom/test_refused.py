"""A command that is refused, or ended at any step, leaves everything as it was, or is finished by the next."""

import contextlib
import json
import sqlite3
import zipfile
from pathlib import Path

import pytest

from support.course import new, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # nbgrader and what it imports

PLAN = """timezone = "Europe/Berlin"

[assignments.week]
chapters = ["one_query"]
exercises = ["softmax"]
due = 2026-10-21T18:00:00

[assignments.exam]
chapters = ["all_queries"]
exercises = ["padding_mask"]
exam = true
"""
SHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (submission),Last modified (grade)\n"
)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    course = new(tmp_path_factory.mktemp("refused") / "course", PLAN)
    course.read_roster("id,name\nada,Ada Adams\nbob,Bob Berg\n")
    course.submit("ada", solved(course.release("one_query", "week")), "one_query", assignment="week")
    course.does("grade", "week")
    course.does("feedback", "week")
    return course


@pytest.fixture
def course(graded, tmp_path):
    course = graded.copied_to(tmp_path / "course")
    course.configure(f"c.Exchange.root = {str(tmp_path / 'exchange')!r}\n")
    (tmp_path / "exchange").mkdir(mode=0o777)
    return course


def everything(folder):
    files = {
        path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix not in (".db", ".lock")
    }
    with contextlib.closing(sqlite3.connect(folder / "course/gradebook.db")) as database:
        return files, [*database.iterdump()]


def cell_with_an_odd_name(course):
    # In the last assignment, so that the first one would be written before nbgrader refuses it.
    path = course.folder / "source/exam/all_queries.ipynb"
    notebook = json.loads(path.read_text())
    answer = next(cell for cell in notebook["cells"] if cell["id"] == "padding_mask-answer")
    marks = answer["metadata"]["nbgrader"] | {"grade_id": "an odd name"}
    notebook["cells"].append(answer | {"id": "again", "metadata": {"nbgrader": marks}})
    path.write_text(json.dumps(notebook))
    course.edit_plan('["softmax"]', '["softmax"]\npoints = { softmax = 20 }')


def another_exercise(course):
    course.edit_plan('["softmax"]', '["softmax", "attend"]')


def no_toml(course):
    course.edit_plan("chapters", "chapters =")


def download(course, name, exercise="softmax"):
    (chapter, assignment) = ("one_query", "week") if exercise == "softmax" else ("all_queries", "exam")
    with zipfile.ZipFile(course.folder.parent / "download.zip", "w") as archive:
        archive.writestr(f"{name}/{chapter}.ipynb", json.dumps(solved(course.release(chapter, assignment))))
        archive.writestr(f"Zoe Zorn_77_assignsubmission_file_/{chapter}.ipynb", "{}")


def of_another_assignment(course):
    download(course, "Ada Adams_5000_assignsubmission_file_", "padding_mask")


def with_a_time_that_is_none(course):
    download(course, "Ada Adams_5000_assignsubmission_file_")
    (course.folder.parent / "sheet.csv").write_text(f"{SHEET}Participant 5000,Ada Adams,,,,8,the day before,-\n")


def with_another_sheet(course):
    download(course, "Ada Adams_5000_assignsubmission_file_")
    (course.folder.parent / "sheet.csv").write_text(f"{SHEET}Participant 1,Ada Adams,,,,8,-,-\n")


def with_another_maximum(course):
    (course.folder.parent / "sheet.csv").write_text(f"{SHEET}Participant 1,Ada Adams,,,,9,-,-\n")
    (course.folder.parent / "moodle.csv").write_text("of last week")


def one_line_twice(course):
    (course.folder.parent / "sheet.csv").write_text("id,name\ncem,Cem Can\nada,Ada Adams\nada,Eve Evans\n")


def no_exchange(course):
    (course.folder.parent / "exchange/attention").write_text("in the way")


COLLECT = ("collect", "week", "--from", "../download.zip")


@pytest.mark.parametrize(
    ("spoil", "command"),
    [
        (cell_with_an_odd_name, ("build",)),
        (another_exercise, ("build",)),
        (no_toml, ("build",)),
        (None, ("release", "exam")),
        (no_exchange, ("release", "week")),
        (one_line_twice, ("roster", "../sheet.csv")),
        (of_another_assignment, COLLECT),
        (with_a_time_that_is_none, (*COLLECT, "--worksheet", "../sheet.csv")),
        (with_another_sheet, (*COLLECT, "--worksheet", "../sheet.csv")),
        (with_another_maximum, ("export", "moodle", "--roster", "../sheet.csv", "--to", "../moodle.csv")),
        (None, ("export", "gradescope", "--assignment", "weak", "--to", "../moodle.csv")),
        (None, ("extend", "ada", "week", "soon")),
        (None, ("due", "week", "soon")),
        (None, ("waive", "week", "softmin")),
        (None, ("forget", "adam")),
    ],
)
def test_what_is_refused_leaves_everything_as_it_was(course, spoil, command):
    if spoil:
        spoil(course)
    before = everything(course.folder.parent)
    course.refuses(*command)
    assert everything(course.folder.parent) == before


@pytest.mark.parametrize("command", ["build", "release"])
def test_what_ends_at_any_step_is_finished_by_the_next(course, monkeypatch, command):
    source = course.folder / "source/week/one_query.ipynb"
    notebook = json.loads(source.read_text())
    mine = {"cell_type": "markdown", "id": "mine", "metadata": {}, "source": "Words of a teacher"}
    source.write_text(json.dumps(notebook | {"cells": [*notebook["cells"], mine]}))
    course.edit_plan('["softmax"]', '["softmax"]\npoints = { softmax = 20 }')
    if command == "release":
        course.does("build")
        course.does("release", "week")
    place = course.folder.parent / "exchange/attention/outbound" if command == "release" else course.folder / "release"
    rename, steps = Path.rename, 0
    for end in range(20):
        steps, ended = 0, False
        if command == "build":
            course.edit_plan(f"softmax = {20 + end}", f"softmax = {21 + end}")

        def ending(path, target, end=end):
            nonlocal steps, ended
            steps, ended = steps + 1, steps >= end
            if ended:
                raise KeyboardInterrupt
            return rename(path, target)

        monkeypatch.setattr(Path, "rename", ending)
        code, _ = course.attn(command, *(["week"] if command == "release" else []))
        monkeypatch.setattr(Path, "rename", rename)
        assert code in (0, 130)
        if not ended:
            break
        course.does(command, *(["week"] if command == "release" else []))
        assert "Words of a teacher" in (place / "week/one_query.ipynb").read_text()
        assert [path.name for path in place.glob("week/*.ipynb")] == ["one_query.ipynb"]
        assert not [*course.folder.rglob(".*.old"), *place.rglob(".*.old"), *course.folder.glob(".building")]
    assert end == steps > 0, "it was not ended at each of its steps"
