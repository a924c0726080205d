"""A gradebook to which other programs write at the same time."""

import sqlite3
import threading

import pytest

from autograder.chapters.errors import CourseError
from support.course import UNIT_OF, change, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

CHAPTER = "embeddings"
UNIT = UNIT_OF[CHAPTER]


def hand_in(course, students=1):
    for number in range(students):
        notebook = solved(course.release(CHAPTER))
        if number == 1:
            change(notebook, "get_glove_embeddings", "glove_embeddings.get(word.lower(), 0)", "0")
        course.submit(f"s{number}", notebook, CHAPTER, timestamp=f"2026-10-05 12:0{number}:00 UTC")


def test_grading_waits_for_a_locked_gradebook(released, tmp_path):
    course = released.copy_to(tmp_path / "course")
    hand_in(course)
    other = sqlite3.connect(course.folder / "gradebook.db", check_same_thread=False)
    other.execute("begin immediate")
    threading.Timer(1, other.rollback).start()
    assert {each.status.name.lower() for each in course.grade()} == {"graded"}
    other.close()


def test_a_course_is_graded_by_one_run_at_a_time(released, tmp_path):
    course, messages = released.copy_to(tmp_path / "course"), []
    hand_in(course)

    class SecondRun(list):
        """A value for `again` that starts a second run when the first run tests its truth."""

        def __bool__(self):
            with pytest.raises(CourseError, match="is being graded by another run") as error_info:
                course.grade()
            messages.append(error_info)
            return False

    course.grade(again=SecondRun())
    assert messages
