"""An exam: separate hidden inputs, no hints, a time window, and feedback only after its release."""

import json
import shutil
import zipfile

import pytest

from autograder.classroom.course.new import create_course
from autograder.classroom.course.plan import REFUSE
from autograder.classroom.course.plan_file import read_plan
from autograder.classroom.marking.verdicts import hash_files
from autograder.classroom.returns.gradescope_run import make_results
from support.course import new, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

PLAN = """
[assignments.week-3]
chapters = ["one_query"]
exercises = ["dot_attention_score", "softmax"]

[assignments.exam]
chapters = ["one_query"]
exercises = ["dot_attention_score", "softmax"]
exam = true
opens = 2026-10-05T10:00:00Z
due = 2026-10-05T12:00:00Z
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return new(tmp_path_factory.mktemp("exam") / "course", PLAN)


@pytest.fixture
def course(built, tmp_path):
    course = built.copy_to(tmp_path / "course")
    (tmp_path / "exchange").mkdir(mode=0o777)
    course.configure(f"c.Exchange.root = {str(tmp_path / 'exchange')!r}\n")
    return course


def hand_in(course, student, when="2026-10-05 11:00:00 UTC", assignment="exam"):
    course.hand_in(student, assignment, "one_query", when, ("return ", "return 2 * "))


def read_verdicts(course, student, assignment="exam"):
    return json.loads((course.folder / "verdicts" / student / assignment / "one_query.json").read_text())


def is_graded(course, student):
    return (course.folder / "autograded" / student / "exam").exists()


def test_the_notebook_has_terms_and_no_hints(built):
    week, exam = (
        "\n".join(cell.source for cell in built.release("one_query", name).cells) for name in ("week-3", "exam")
    )
    assert "Hint 1" in week and "open a hint" in week
    assert "hint" not in exam.lower() and "names the mistake" not in exam
    assert "**Opens** Monday, 5 October 2026, 10:00 (UTC)." in exam
    assert "**Due** Monday, 5 October 2026, 12:00 (UTC). Later work is not graded." in exam
    assert "check(softmax)" in exam
    assert "attn.graded" in week and "%load_ext attn" in week
    assert "import attn" not in exam and "load_ext" not in exam  # The checks of an exam name no mistakes.


def test_checks_of_an_exam_run_only_the_examples(built, capsys):
    sources = [cell.source for cell in solved(built.release("one_query", "exam")).cells if cell.cell_type == "code"]
    names = {"__name__": "exam"}
    for source in sources:
        if "def check(" in source or "def softmax" in source or source.startswith("import numpy"):
            exec(source, names)
    names["check"](names["softmax"])
    assert capsys.readouterr().out == "softmax: the examples pass.\n"
    exec(sources[[("def softmax" in each) for each in sources].index(True)].replace("return ", "return 2 * "), names)
    with pytest.raises(AssertionError, match="softmax: an example fails"):
        names["check"](names["softmax"])


def test_an_exam_has_hidden_inputs_of_its_own(course):
    hand_in(course, "ada")
    hand_in(course, "ada", assignment="week-3")
    course.does("grade")
    week, exam = (read_verdicts(course, "ada", name) for name in ("week-3", "exam"))
    assert week["secret"] != exam["secret"]
    said = [{test["name"]: test["message"] for test in _softmax(line)["tests"]} for line in (week, exam)]
    others = {name for name in said[0] if said[0][name] != said[1][name]}
    # Both assignments have the same example, because learners see its inputs.
    assert others and "example" not in others and "example" in said[0]


def _softmax(line):
    return next(each for each in line["exercises"] if each["exercise"] == "softmax")


def test_own_inputs_draws_different_inputs_for_each_learner(course):
    course.edit_plan("exam = true", "exam = true\nown_inputs = true")
    for student in ("ada", "bo"):
        hand_in(course, student)
    course.does("grade", "exam")
    ada, bo = (read_verdicts(course, student) for student in ("ada", "bo"))
    assert ada["secret"] != bo["secret"]
    assert [test["name"] for test in _softmax(ada)["tests"]] == [test["name"] for test in _softmax(bo)["tests"]]
    assert _softmax(ada)["tests"] != _softmax(bo)["tests"] and _softmax(ada)["points"] == _softmax(bo)["points"]
    assert "0 would be graded" in course.does("grade", "exam", "--dry-run")
    assert f"secret {bo['secret']}: the points match the record" in course.does("show", "bo", "exam", "softmax")


def test_no_two_submissions_have_one_digest(tmp_path):
    for path, text in (("one/a", "x"), ("one/b", "y"), ("other/a 1 xb", "y")):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    digests = hash_files(tmp_path / "one"), hash_files(tmp_path / "other")
    assert digests[0] != digests[1]
    assert {*map(len, digests)} == {32}, "of digests half as long two alike are found in minutes"


def test_late_exams_are_refused_without_an_extension(course):
    hand_in(course, "ada", "2026-10-05 11:59:00 UTC")
    hand_in(course, "bo", "2026-10-05 12:09:30 UTC")
    assert "exam was handed in 10 minutes too late, so it is not graded" in course.says("grade", "exam")
    assert is_graded(course, "ada") and not is_graded(course, "bo")
    result = course.kit.api.autograde("exam", "bo")  # Formgrader's button does the same.
    assert "10 minutes too late" in result["log"] and "no fault of the learner" not in result["log"]
    course.does("extend", "bo", "exam", "10m")
    course.does("grade", "exam")
    assert is_graded(course, "bo")
    course.edit_plan("exam = true\n", 'exam = true\nlate = "mark"\n')
    hand_in(course, "cem", "2026-10-05 13:00:00 UTC")
    course.does("grade", "exam")
    assert is_graded(course, "cem")


def test_an_earlier_due_date_reports_that_grades_stay(course):
    hand_in(course, "ada", "2026-10-05 11:30:00 UTC")
    course.does("grade", "exam")
    _, before = course.attn("overview")
    course.does("due", "exam", "2026-10-05T11:00:00Z")
    for _ in range(2):
        message = course.says("grade", "exam")
        assert "ada: exam was handed in 30 minutes too late" in message
        assert "the earlier grade stays in the gradebook, overview and exports" in message
    assert course.attn("overview")[1] == before and is_graded(course, "ada")


def test_work_that_came_in_time_is_not_replaced_by_later_work(course, tmp_path):
    hand_in(course, "Ada", "2026-10-05 11:00:00 UTC")
    course.zip(course.folder / "moodle.zip", {"Ada_9001_assignsubmission_file_/one_query.ipynb": ("one_query", "exam")})
    sheet = 'Identifier,Full name,id,Last modified (submission)\nParticipant 9001,Ada,Ada,"5 October 2026, 13:00"\n'
    (course.folder / "worksheet.csv").write_text(sheet)
    course.attn("roster", "worksheet.csv")
    output = course.says("collect", "exam", "--from", "moodle.zip", "--worksheet", "worksheet.csv")
    assert "arrived after exam had closed; the version that arrived in time is kept" in output
    (owner,) = {path.parent.parent.name for path in course.folder.glob("submitted/*/exam/timestamp.txt")}
    assert (course.folder / "submitted" / owner / "exam/timestamp.txt").read_text() == "2026-10-05 11:00:00 UTC"
    inbound = tmp_path / "exchange" / "attention" / "inbound"
    for hour in (11, 13):
        stamp = f"2026-10-05 {hour}:00:00 UTC"
        folder = shutil.copytree(course.folder / "release" / "exam", inbound / f"bo+exam+{stamp}+x{hour}")
        (folder / "timestamp.txt").write_text(stamp)
    course.configure("c.ExchangeCollect.check_owner = False\n")
    collected = course.folder / "submitted" / "bo" / "exam" / "timestamp.txt"
    assert course.kit.api.collect("exam", update=True)["success"]  # Formgrader's button does the same.
    assert collected.read_text() == "2026-10-05 11:00:00 UTC"
    course.does("collect", "exam")
    assert collected.read_text() == "2026-10-05 11:00:00 UTC"
    course.does("extend", "bo", "exam", "2h")
    course.does("collect", "exam")
    assert collected.read_text() == "2026-10-05 13:00:00 UTC"


def test_feedback_of_an_exam_is_returned_only_on_command(course):
    hand_in(course, "ada")
    hand_in(course, "ada", assignment="week-3")
    course.does("grade")
    assert "exam: no pages yet" in course.does("feedback")
    pages = course.folder / "feedback" / "ada"
    assert [path.name for path in pages.iterdir()] == ["week-3"]
    assert "attn course feedback exam --release" in course.refuses("feedback", "exam")
    result = course.kit.api.generate_feedback("exam", "ada")  # Formgrader's button does the same.
    assert "is not released yet according to course.toml" in result["log"] + result.get("error", "")
    assert not (pages / "exam").exists()
    course.refuses("feedback", "--release")
    course.does("feedback", "exam", "--release")
    assert (pages / "exam" / "one_query.html").exists()
    assert read_plan(course.folder).assignments["exam"].feedback is True
    assert "exam = true" in (course.folder / "course.toml").read_text()
    create_course(course.folder.parent / "next", last_course=course.folder)
    following = read_plan(course.folder.parent / "next").assignments["exam"]
    assert following.exam and following.late == REFUSE
    assert (following.opens, following.due, following.feedback) == (None, None, False)


def test_an_exam_may_not_ask_exercises_released_with_solutions(course):
    course.edit_plan('"dot_attention_score", "softmax"]\n\n', '"attend"]\n\n')
    output = course.refuses("build")
    assert "exam is an exam and asks" in output and "which week-3 hands out with solutions" in output


def test_gradescope_hides_exam_results_until_they_are_published(course):
    results = make_results([{"name": "softmax", "score": 3}], exam=True)
    assert {results["visibility"], *(test["visibility"] for test in results["tests"])} == {"after_published"}
    course.does("export", "gradescope", "--assignment", "exam")
    with zipfile.ZipFile(course.folder / "gradescope.zip") as archive:
        assert json.loads(archive.read("asked.json"))["assignment"]["exam"] is True
