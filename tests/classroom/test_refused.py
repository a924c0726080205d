"""A command that is refused or killed at any step changes nothing, or the next command completes it."""

import contextlib
import itertools
import json
import os
import re
import shutil
import sqlite3
import zipfile

import pytest
from sqlalchemy.orm import Session

from support.course import new, run, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

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
    at, secret = "2026-10-20 12:00:00 UTC", {"submission_secret.txt": "s3cret"}  # The exchange adds this secret file.
    course.submit("ada", solved(course.release("one_query", "week")), "one_query", secret, None, at, "week")
    course.does("grade", "week")
    course.does("feedback", "week")
    return course


@pytest.fixture
def course(graded, tmp_path):
    course = graded.copy_to(tmp_path / "course")
    course.configure(f"c.Exchange.root = {str(tmp_path / 'exchange')!r}\n")
    (tmp_path / "exchange").mkdir(mode=0o777)
    return course


def read_everything(folder):
    files = {
        path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix not in (".db", ".lock")
    }
    with contextlib.closing(sqlite3.connect(folder / "course/gradebook.db")) as database:
        return files, [*database.iterdump()]


def cell_with_an_odd_name(course):
    # The cell is in the last assignment, so the first would already be written when nbgrader refuses this name.
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
def test_a_refused_command_changes_no_file(course, spoil, command):
    if spoil:
        spoil(course)
    course.kit.settings  # noqa: B018  (stores the settings before the command)
    before = read_everything(course.folder.parent)
    course.refuses(*command)
    assert read_everything(course.folder.parent) == before


def edited(course):
    source = course.folder / "source/week/one_query.ipynb"
    notebook = json.loads(source.read_text())
    mine = {"cell_type": "markdown", "id": "mine", "metadata": {}, "source": "Words of a teacher"}
    source.write_text(json.dumps(notebook | {"cells": [*notebook["cells"], mine]}))
    course.edit_plan('["softmax"]', '["softmax"]\npoints = { softmax = 20 }')


def edited_and_built(course):
    course.does("release", "week")
    edited(course)
    course.does("build")


def two_more(course):
    (course.folder.parent / "sheet.csv").write_text("id,name\ncem,Cem Can\nada,Ada Adams\nbob,Bob Bergmann\n")


def of_bob(course):
    download(course, "Bob Berg_5001_assignsubmission_file_")
    (course.folder.parent / "sheet.csv").write_text(f"{SHEET}Participant 5000,Ada Adams,ada,,,8,-,-\n")


def of_ada_again(course):
    place = course.folder.parent / "exchange/attention/inbound/ada+week+2026-10-21 10:00:00 UTC+x"
    shutil.copytree(course.folder / "submitted/ada/week", place)
    (place / "timestamp.txt").write_text("2026-10-21 10:00:00 UTC")


KILLED = 99


def kill_at_step(step, steps, end):
    return lambda *args, **kwargs: os._exit(KILLED) if next(steps) >= end else step(*args, **kwargs)


EXPORT = ("export", "moodle", "--roster", "../sheet.csv", "--assignment", "week", "--to", "../moodle.csv")


@pytest.mark.parametrize(
    ("prepare", "command"),
    [
        (edited, ("build",)),
        (edited_and_built, ("release", "week")),
        (two_more, ("roster", "../sheet.csv")),
        (of_bob, EXPORT),
        (of_bob, COLLECT),
        (of_ada_again, ("collect", "week")),
    ],
)
def test_a_killed_command_is_completed_by_the_next_run(course, prepare, command):
    prepare(course)
    place = course.folder.parent
    begun = place.rename(place.with_name(f"{place.name}-begun"))

    def left(end):
        """Kill a run at step `end` and run again. Return the files, the database and the first run's exit code."""
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(begun, place)
        if (child := os.fork()) == 0:  # The child ends without any `finally`, as if by SIGKILL.
            with contextlib.suppress(BaseException):
                steps = itertools.count()
                for holder, name in ((os, "replace"), (os, "rename"), (Session, "commit")):
                    setattr(holder, name, kill_at_step(getattr(holder, name), steps, end))
                os._exit(course.attn(*command)[0])
            os._exit(70)
        if (code := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])) == KILLED:
            course.does(*command)
        files, lines = read_everything(place)
        # Files that end in ".new" are half-written replacements.
        aside = {course.folder / ".settings.json", *(path for path in files if path.suffix == ".new")}
        lines = sorted(re.sub("'[0-9a-f]{32}'", "ID", line) for line in lines)
        return {path: data for path, data in files.items() if not {*path.parents, path} & aside}, lines, code

    *expected, code = left(1000)
    assert code == 0 and expected[0] != read_everything(begun)[0]
    codes = [KILLED]
    while codes[-1] == KILLED:
        *results, code = left(len(codes) - 1)
        codes.append(code)
        assert results == expected
    assert len(codes) > 2, "it was not killed at any step"


def test_idle_commands_never_import_nbgrader(course):
    """Importing nbgrader takes more than a second. A configuration that imports it must not be run without need."""
    of_bob(course)
    course.configure("from nbgrader.plugins import LateSubmissionPlugin\n")
    for command in (COLLECT, ("grade", "week")):
        course.does(*command)
    words = "overview, due, roster, extend ada week 1d, extend ada week 0, grade week"
    commands = [*(command.split() for command in [*words.split(", "), "roster table.csv"]), EXPORT, COLLECT]
    code, output = run("-c", IDLE, json.dumps([["course", *words] for words in commands]), cwd=course.folder)
    assert code == 0, output


IDLE = """import json, sys
from autograder.cli.main import app
for words in json.loads(sys.argv[1]):
    try:
        app(words, standalone_mode=False)
    except SystemExit as end:
        assert not end.code, words
    assert not {"nbgrader", "sqlalchemy", "nbformat", "nbconvert"} & {*sys.modules}, words
"""
