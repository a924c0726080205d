"""A gradebook in PostgreSQL, on a server of its own, and one in SQLite that others write to as well."""

import os
import pwd
import shutil
import sqlite3
import stat
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest

from autograder.chapters import curriculum
from autograder.chapters.errors import CourseError
from autograder.classroom.course.new import new_course
from autograder.classroom.gradebook.calls import StepFailed
from support.course import UNIT_OF, change, new, solved
from support.late import Late
from support.missing import require

steps = Late("autograder.classroom.marking.steps")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # nbgrader and what it imports

CHAPTER = "embeddings"
UNIT = UNIT_OF[CHAPTER]


@pytest.fixture(scope="module")
def server():
    """The address of a PostgreSQL server that nobody else can reach: it listens to a socket in a temporary folder."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    pg_ctl = shutil.which("pg_ctl") or (found and str(found[-1]))
    require("postgresql", bool(pg_ctl))
    # Not below pytest's folder, which the server's user may not enter; and a socket's path must be short.
    folder = Path(tempfile.mkdtemp(prefix="attn-pg"))
    user = {}
    if os.getuid() == 0:  # the server refuses to run as root
        postgres = pwd.getpwnam("postgres")
        os.chown(folder, postgres.pw_uid, postgres.pw_gid)
        user = {"user": postgres.pw_uid, "group": postgres.pw_gid, "extra_groups": []}

    def run(*words):
        # What the server writes goes to a file: it would keep a pipe open for as long as it lives.
        with open(folder / "log", "ab") as log:
            done = subprocess.run(words, cwd=folder, stdout=log, stderr=log, timeout=120, check=False, **user)
        assert done.returncode == 0, (folder / "log").read_text("utf-8", "replace")

    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    try:
        run(pg_ctl, "initdb", "-D", f"{folder}/data", "-o", "--auth=trust --username=teacher --encoding=UTF8 --no-sync")
        run(pg_ctl, "start", "-D", f"{folder}/data", "-o", options, "-w", "-t", "100")
        yield f"postgresql://teacher@/postgres?host={folder}"
    finally:
        if (folder / "data" / "postmaster.pid").exists():
            run(pg_ctl, "stop", "-D", f"{folder}/data", "-m", "immediate", "-w")
        shutil.rmtree(folder)


def hand_in(course, students=1):
    for number in range(students):
        notebook = solved(course.release(CHAPTER))
        if number == 1:
            change(notebook, "get_glove_embeddings", "glove_embeddings.get(word.lower(), 0)", "0")
        course.submit(f"s{number}", notebook, CHAPTER, timestamp=f"2026-10-05 12:0{number}:00 UTC")


def test_grades_are_the_same_in_postgresql_and_with_several_writers(server, released, tmp_path, monkeypatch):
    small, beside = (released.copied_to(tmp_path / name) for name in ("small", "beside"))
    monkeypatch.setattr(curriculum, "UNITS", {UNIT: curriculum.UNITS[UNIT]})
    large = new(tmp_path / "large", db=server)
    for course, jobs in ((small, 1), (beside, 3), (large, 2)):
        hand_in(course, students=3)
        course.submit("empty", "", CHAPTER)
        assert {each.status for each in course.grade(jobs=jobs)} == {"graded"}
        assert {each.status for each in course.grade()} == {"kept"}
    assert large.everything() == beside.everything() == small.everything() and len(large.everything()) == 4
    assert not any(large.pages().values())
    assert not (large.folder / "gradebook.db").exists()
    assert stat.S_IMODE((large.folder / "nbgrader_config.py").stat().st_mode) == 0o600  # it may hold a password


def test_no_password_is_shown(server, tmp_path):
    wrong = server.replace("teacher@", "teacher:pencil@").replace("/postgres?", "/nosuch?")
    with pytest.raises(
        CourseError, match=r'gradebook postgresql\+psycopg://teacher:\*\*\*@.* "nosuch" does not exist'
    ) as told:
        new_course(tmp_path / "course", wrong)
    assert "pencil" not in str(told.value)
    new_course(tmp_path / "course", server)  # the same command with the right address goes on


def test_a_gradebook_that_somebody_else_writes_to(released, tmp_path):
    course = released.copied_to(tmp_path / "course")
    hand_in(course)
    other = sqlite3.connect(course.folder / "gradebook.db", check_same_thread=False)
    other.execute("begin immediate")
    threading.Timer(1, other.rollback).start()
    assert {each.status for each in course.grade()} == {"graded"}
    other.close()


@pytest.mark.parametrize("reason", ["database is locked", "UNIQUE constraint failed: student.id"])
def test_what_another_process_did_meanwhile_is_waited_for(reason, released, tmp_path, monkeypatch):
    course, tried = released.copied_to(tmp_path / "course"), []
    course.submit("ada", solved(course.release(CHAPTER)), CHAPTER)
    autograde = steps.autograde

    def locked_at_first(*arguments):
        tried.append(arguments)
        if len(tried) == 1:
            raise StepFailed(f"[ERROR] (sqlite3.Error) {reason}")
        return autograde(*arguments)

    monkeypatch.setattr(steps, "autograde", locked_at_first)
    assert [each.status for each in course.grade()] == ["graded"]
    assert len(tried) == 2


def test_a_course_is_graded_by_one_run_at_a_time(released, tmp_path):
    course, told = released.copied_to(tmp_path / "course"), []
    hand_in(course)

    class Second(list):
        """What the first run asks for in its middle."""

        def __bool__(self):
            with pytest.raises(CourseError, match="is being graded by another run") as refused:
                course.grade()
            told.append(refused)
            return False

    course.grade(again=Second())
    assert told
