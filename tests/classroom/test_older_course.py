"""A course that an earlier version created and graded can be opened, graded and reported."""

import re
import shutil
import zipfile
from pathlib import Path

import pytest

from support.course import Course

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

FILES = Path(__file__).parent / "files"


@pytest.fixture
def course(tmp_path):
    """Return a course: Ada's softmax (20 points) is right, Bob's overflows; nobody has written `attend` (6 points)."""
    with zipfile.ZipFile(FILES / "course_0.1.0.zip") as archive:
        archive.extractall(tmp_path / "course")
    plan, longer = tmp_path / "course/course.toml", '[{"assignment": "week-1", "student": "ada", "seconds": 3600}]'
    plan.write_text("drop_lowest = 1\n" + plan.read_text())
    plan.with_name("extensions.json").write_text(longer)
    return Course(tmp_path / "course")


def find_points(printed):
    return [line.split()[-1] for line in printed.splitlines() if line.startswith(("Ada", "Bob"))]


def test_an_older_course_opens_and_reports(course):
    verdicts = course.folder / "verdicts/bob/week-1/one_query.json"
    verdicts.write_text(verdicts.read_text().replace("no_maximum_subtracted", "sign_turned_round"))  # a former name
    output = course.does("overview")
    assert find_points(output) == ["20", "15"]
    course.does("report", "--csv", "report.csv")
    assert "Ada Lovelace" in (page := (course.folder / "report.html").read_text()) and "The smallest score" in page
    course.does("overview", "--csv", "grades.csv")
    assert "week-1" in (course.folder / "grades.csv").read_text()
    assert "ada@example.org" in course.does("roster") and "1 hour longer" in course.does("due", "week-1")


def test_an_older_course_is_graded_and_returned(course):
    output = course.does("grade", "--all")
    assert output.split("by hand")[1].split()[:7] == ["week-1", "2", "0", "0", "15.6", "26", "0"], output
    message = " ".join(output.partition("Changed points")[2].split())
    assert re.findall(r"(\w+), week-1: (.*?)\)", message) == [
        ("bob", "softmax 15 -> 11.25 of 20 (the chapter, its hidden tests or its known mistakes were changed")
    ]
    assert find_points(course.attn("overview")[1]) == ["20", "11.25"]
    shutil.rmtree(course.folder / "feedback")
    course.does("feedback")
    assert "overflow" in (course.folder / "feedback/bob/week-1/one_query.html").read_text()


def test_an_older_course_is_built_and_takes_new_work(course):
    output = course.does("build")
    assert "it keeps the text that was released" in output and "drop_lowest at the top of the file" in output
    shutil.copytree(course.folder / "submitted/ada/week-1", course.folder / "submitted/cem/week-1")
    course.does("grade")
    lines = course.does("overview").splitlines()
    assert "20" in [line.split()[-1] for line in lines if line.startswith("cem")]
    assert course.nbgrader("db", "student", "list")[0] == 0
