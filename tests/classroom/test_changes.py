"""Changed points and their reasons, as a later grading reports them, and the version and secret of a grade."""

import json
import re
import shutil
import zipfile

import numpy as np
import pytest

from autograder.classroom.marking import verdicts
from autograder.classroom.marking.verdicts import explain_change
from support.course import Course, new
from support.late import LazyModule

evidence = LazyModule("autograder.classroom.returns.evidence")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

PLAN = """
[assignments.week-3]
chapters = ["one_query"]
exercises = ["dot_attention_score", "softmax"]
points = { softmax = 8 }
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    course = new(tmp_path_factory.mktemp("changes") / "course", PLAN)
    course.configure(f"c.Exchange.root = {str(course.folder.parent)!r}\n")
    course.hand_in("ada", "week-3", wrong=("scores - scores.max()", "scores"))
    course.hand_in("bo", "week-3", wrong=("return ", "return 2 * "))
    assert grade(course) == []
    return course


@pytest.fixture
def course(graded, tmp_path):
    return graded.copy_to(tmp_path / "course")


def grade(course, *options, graded=2):
    output = course.does("grade", *options)
    counts = next(line for line in output.splitlines() if line.startswith("week-3")).split()
    assert counts[1] == str(graded), output
    matches = re.findall(r"(\w+), week-3: (\w+) ([\d.]+ -> [\d.]+ of [\d.]+) \((.*?)\)", " ".join(output.split()))
    assert bool(matches) == ("Changed points" in output)
    return matches


def test_regrading_reports_each_change_with_old_and_new_points_and_reason(course, monkeypatch):
    assert not (course.folder / "changes.csv").exists()
    course.hand_in("bo", "week-3")
    assert grade(course, graded=1) == [("bo", "softmax", "0 -> 8 of 8", "the submission was changed")]
    course.edit_plan("softmax = 8", "softmax = 16")
    course.does("build")
    reason = "its points, a test cell or carry_forward were changed"
    assert grade(course) == [("ada", "softmax", "4.5 -> 9 of 16", reason), ("bo", "softmax", "8 -> 16 of 16", reason)]
    (course.folder / "secret").write_text("another")
    assert grade(course) == []  # Other hidden inputs give the same points.
    rows = (course.folder / "changes.csv").read_text().splitlines()
    assert rows[0] == "when,student,assignment,exercise,before,now,worth,why" and len(rows) == 4
    assert (course.folder / "changes.csv").stat().st_mode & 0o777 == 0o600
    with monkeypatch.context() as later:
        later.setattr("autograder.classroom.marking.verdicts.read_kit_version", lambda: "9.9")
        assert grade(course, graded=0) == []  # A new version alone does not change a grade.
    lines = [json.loads(path.read_text()) for path in course.folder.glob("verdicts/*/week-3/one_query.json")]
    secret = lines[0]["secret"]
    assert secret not in (course.folder / "secret").read_text()
    assert f"version {verdicts.read_kit_version()} and secret {secret}: " in course.says("show", "ada", "week-3")


def test_reasons_in_words():
    old = {"answer": "1", "time": "t", "secret": "a", "version": "1", "tests": "x"}
    assert explain_change(old, old, "").startswith("nothing else has changed")
    assert explain_change(old, old | {"secret": "b", "version": "2"}, "") == (
        "the secret for hidden inputs was changed; another version of the kit"
    )
    assert explain_change(old, old | {"tests": "y"}, "").startswith("the chapter, its hidden tests")
    assert explain_change(old, old | {"time": "u"}, "") == "its submission time was changed"
    first = {"answer": "0123456789abcdef"}  # An early version kept one digest of the time and the answer.
    now = {"answer": "1", "time": "t", "questions": "q"}
    assert explain_change(first, now, "0123456789abcdef and more").startswith("nothing else has changed")
    assert explain_change(first, now, "another digest") == "the submission was changed"


def test_a_learner_removed_from_the_gradebook_is_not_mentioned(course):
    course.does("feedback")
    with course.kit.open_gradebook() as gradebook:  # `nbgrader db student remove` does the same.
        gradebook.remove_student("bo")
    assert "bo" not in course.does("feedback", "week-3", "--zip", "back.zip")
    assert zipfile.ZipFile(course.folder / "back.zip").namelist() == ["ada/week-3-feedback.html"]
    assert grade(course, graded=1) == []  # Bo's submission still exists, so it is graded again.
    shutil.rmtree(course.folder / "submitted" / "bo")
    with course.kit.open_gradebook() as gradebook:
        gradebook.remove_student("bo")
    assert "bo" not in course.does("grade")


def test_points_by_hand_keep_their_share_where_the_worth_changes(course):
    with course.kit.open_gradebook() as gradebook:  # A person does the same in Formgrader.
        gradebook.find_grade("softmax", "one_query", "week-3", "bo").manual_score = 6
        gradebook.db.commit()
    course.edit_plan("softmax = 8", "softmax = 4")
    assert "week-3 has been graded" in course.says("build")
    course.edit_plan("softmax = 4", "softmax = 2")
    course.does("build")
    course.edit_plan("softmax = 2", "softmax = 4")
    course.does("build")
    reason = "its points, a test cell or carry_forward were changed"
    assert ("bo", "softmax", "6 -> 3 of 4", reason) in grade(course)
    assert "bo,week-3,softmax,6.0,3.0" in (course.folder / "changes.csv").read_text()
    with course.kit.open_gradebook() as gradebook:
        assert gradebook.find_grade("softmax", "one_query", "week-3", "bo").score == 3
    assert "bo, week-3: softmax" not in course.attn("grade", "--all")[1]


def test_an_exchange_is_remembered(tmp_path):
    here = Course(tmp_path)
    here.does("new", "course", "--exchange", "exchange")
    assert (tmp_path / "exchange").stat().st_mode & 0o777 == 0o777
    assert Course(tmp_path / "course").kit.config.Exchange.root == str(tmp_path / "exchange")
    output = here.refuses("new", "course", "--exchange", "other")
    assert "is a course already" in output and not (tmp_path / "other").exists()


def test_a_preview_says_what_would_change_and_writes_nothing(course):
    course.hand_in("bo", "week-3")
    kept = [course.folder / name for name in ("gradebook.db", "verdicts", "autograded", "changes.csv")]
    before = {path: path.read_bytes() for folder in kept for path in [folder, *folder.rglob("*")] if path.is_file()}
    message = course.says("grade", "--dry-run")
    assert "1 would be graded. Points that would change: 1. Nothing was written." in message
    assert "bo, week-3: softmax 0 -> 8 of 8 (the submission was changed)" in message
    after = {path: path.read_bytes() for folder in kept for path in [folder, *folder.rglob("*")] if path.is_file()}
    assert after == before
    assert grade(course, graded=1) == [("bo", "softmax", "0 -> 8 of 8", "the submission was changed")]


def test_evidence_shows_full_test_results(course):
    output = course.does("show", "ada", "week-3", "softmax", "--json")
    evidence = json.loads(output)
    (notebook,) = evidence["notebooks"]
    (softmax,) = notebook["exercises"]
    assert (notebook["as_graded"], softmax["points"]) == (True, 4.5)
    assert sum(test["max_points"] for test in softmax["tests"]) == softmax["max_points"] == 8
    large = next(test for test in softmax["tests"] if test["name"] == "large_scores")
    assert (large["points"], large["call"]) == (0, "softmax([927, 397, 148, 929])")
    assert "nan" in large["given"] and "8.8079707797788231e-001" in large["expected"]
    course.hand_in("ada", "week-3")
    grade(course, graded=1)
    output = course.does("show", "ada", "week-3")
    assert "softmax: 8 of 8 points" in output and "large scores: passed" in output
    page = course.folder / "ada.html"
    course.does("show", "bo", "week-3", "--page", page)
    assert evidence["answer"] not in page.read_text("utf-8") and "<h3>softmax</h3>" in page.read_text("utf-8")


def test_evidence_of_millions_of_numbers_is_cut_before_it_is_written_out():
    shown = evidence._format_value(np.zeros((2000, 2000)))
    assert shown.startswith("[0., 0., ") and shown.endswith(" ... (4,000,000 numbers)") and len(shown) < 20_100
    assert evidence._format_value(np.zeros((1, 2))) == "[[0., 0.]]"
    assert evidence._format_value("\x1b" * 30_000).endswith(" ... (120,002 characters)")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("ada", "week-3", "nix"), "week-3 does not ask nix: it asks dot_attention_score, softmax"),
        (("bo", "week-9"), "week-9"),
    ],
)
def test_evidence_of_unknown_learners_or_exercises_is_refused(course, words, sentence):
    assert sentence in course.refuses("show", *words)
