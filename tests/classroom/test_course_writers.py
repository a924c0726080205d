"""A gradebook that others write to as well."""

import sqlite3
import threading

import pytest

from autograder.chapters.errors import CourseError
from autograder.classroom.gradebook.calls import StepFailed
from support.course import UNIT_OF, change, solved
from support.late import Late

steps = Late("autograder.classroom.marking.steps")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # nbgrader and what it imports

CHAPTER = "embeddings"
UNIT = UNIT_OF[CHAPTER]


def hand_in(course, students=1):
    for number in range(students):
        notebook = solved(course.release(CHAPTER))
        if number == 1:
            change(notebook, "get_glove_embeddings", "glove_embeddings.get(word.lower(), 0)", "0")
        course.submit(f"s{number}", notebook, CHAPTER, timestamp=f"2026-10-05 12:0{number}:00 UTC")


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
