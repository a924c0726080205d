"""A whole course: created, built, answered in correct and wrong ways, graded and returned."""

import json
import re

import pytest

from autograder.chapters import curriculum
from autograder.classroom.marking.verdicts import PARTS
from autograder.judging.misconceptions import read_lesson
from support.course import EXERCISES, UNIT_OF, body_lines, cell_of, files_in, points_of
from support.submissions import ATTACKS, FILES, MISTAKES, NAMES, RIGHT, SUBMISSIONS, cases, hostile, untouched, wrong

pytestmark = [pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.
QUICK = "one_query"  # the chapter that `make test` grades; `make test-all` grades all


def case(chapter, *values):
    """Return a `pytest.param` for a test about a chapter, marked as slow unless the chapter is quick."""
    return pytest.param(chapter, *values, marks=() if chapter == QUICK else pytest.mark.slow)


@pytest.fixture(scope="module")
def graded(released, tmp_path_factory, request):
    """Return a course with graded submissions and feedback for `QUICK` and the chapters that selected tests name."""
    course = released.copy_to(tmp_path_factory.mktemp("graded") / "course")
    mine = [item for item in request.session.items if item.path == request.path and hasattr(item, "callspec")]
    chapters = {QUICK, *(item.callspec.params.get("chapter") for item in mine)}
    for chapter, write in SUBMISSIONS:
        if chapter in chapters:
            student = write.__name__
            notebook = write(course.release(chapter))
            course.submit(student, notebook, chapter, FILES.get(student, {}), NAMES.get(student))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.judging.ask.call.CALL_SECONDS", 1.0)  # One answer contains an endless loop.
        course.found = {(each.student, each.assignment): each for each in course.grade()}
    assert not any(course.pages().values())
    return course


# Points and pages of learners -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chapter", "student"), [case(chapter, write.__name__) for chapter, all_of in RIGHT.items() for write in all_of]
)
def test_right_answers_get_every_point(graded, chapter, student):
    assert graded.scores(student, chapter) == points_of(chapter)
    for exercise, points in points_of(chapter).items():
        assert f"{points:g} of {points:g} points." in graded.read_message(student, exercise)


@pytest.mark.parametrize(("chapter", "exercise"), [case(EXERCISES[name].chapter, name) for name in MISTAKES])
def test_wrong_answers_get_fewer_points_and_the_reason(graded, chapter, exercise):
    misconception, points = MISTAKES[exercise][2], EXERCISES[exercise].points
    assert graded.scores("wrong", chapter)[exercise] < points
    sentence, hint, rule = read_lesson(exercise, misconception)
    message = graded.read_message("wrong", exercise)
    assert f" of {points} points." in message
    assert sentence.replace("`", "") in message and hint.replace("`", "") in message
    assert rule.replace("`", "") in message, "folded, as the last hint"


@pytest.mark.parametrize("chapter", [case(each) for each in cases(wrong)])
def test_correct_answers_next_to_wrong_ones_get_full_points(graded, chapter):
    scores = graded.scores("wrong", chapter)
    users = {"attend"}  # `attend` calls the wrong softmax.
    right = {name: points for name, points in points_of(chapter).items() if name not in {*MISTAKES, *users}}
    assert {name: scores[name] for name in right} == right


def test_partial_credit(graded):
    assert graded.scores("wrong", "one_query")["softmax"] == 4.5
    assert "4.5 of 8 points. 7 of 9 tests passed." in graded.read_message("wrong", "softmax")


def test_returned_html_is_escaped_in_feedback(graded):
    assert "<b>&nonsense</b>" in graded.read_message("nonsense", "normalize_by_sum")
    assert "<b>&nonsense" not in graded.feedback("nonsense", "one_query")


@pytest.mark.parametrize("chapter", [case(each) for each in cases(untouched)])
def test_an_untouched_notebook_gets_no_points(graded, chapter):
    assert graded.scores("untouched", chapter) == dict.fromkeys(points_of(chapter), 0)
    for exercise in points_of(chapter):
        assert f"{exercise} is still to do." in graded.read_message("untouched", exercise)


@pytest.mark.parametrize("chapter", [case(each) for each in cases(hostile)])
def test_a_hostile_answer_only_loses_its_own_points(graded, chapter):
    attacks = {exercise: reads for exercise, (_, _, reads) in ATTACKS.items() if exercise in points_of(chapter)}
    assert graded.scores("hostile", chapter) == points_of(chapter) | dict.fromkeys(attacks, 0)
    for exercise, reads in attacks.items():
        assert reads in graded.read_message("hostile", exercise)
        assert f"check({exercise})" in cell_of(graded.autograded("hostile", chapter), exercise).source
    assert "steal()" not in graded.feedback("hostile", chapter)


@pytest.mark.parametrize("chapter", [case("multi_head")])
def test_banned_shortcut(graded, chapter):
    assert graded.scores("banned", chapter) == points_of(chapter) | {"MultiHeadAttention": 0}
    assert "uses torch.nn.MultiheadAttention" in graded.read_message("banned", "MultiHeadAttention")
    assert "which this exercise does not allow" in graded.read_message("banned", "MultiHeadAttention")


UNREADABLE = {
    "unreadable": ("one_query", "The submission is not a readable notebook: download or export it again."),
    "empty": ("embeddings", "The submitted file is empty."),
    "a_picture": (
        "embeddings",
        "The notebook embeddings.ipynb was not handed in.",
    ),
    "noisy": ("all_queries", "The notebook all_queries.ipynb was not handed in."),
}


@pytest.mark.parametrize(
    ("chapter", "student", "sentence"), [case(chapter, who, says) for who, (chapter, says) in UNREADABLE.items()]
)
def test_ungradable_submissions_are_explained_to_learner_and_teacher(graded, chapter, student, sentence):
    assert graded.scores(student, chapter) == dict.fromkeys(points_of(chapter), 0)
    for exercise in points_of(chapter):
        assert sentence in graded.read_message(student, exercise)
    submission = graded.found[student, UNIT_OF[chapter]]
    assert submission.status.name == "GRADED"
    assert f"{chapter}: {sentence[0].lower()}{sentence[1:].rstrip('.')}" in "\n".join(submission.problems)


@pytest.mark.parametrize(
    ("chapter", "student", "name"), [case("embeddings", *each) for each in NAMES.items() if each[0] != "a_picture"]
)
def test_renamed_notebooks_are_reported_to_the_teacher(graded, chapter, student, name):
    assert graded.found[student, UNIT_OF[chapter]].problems == [f"{chapter}.ipynb was handed in as {name}"]


def test_stored_verdicts_match_docs_records(graded):
    path = graded.folder / "verdicts" / "wrong" / UNIT_OF["one_query"] / "one_query.json"
    line = json.loads(path.read_text("utf-8"))
    page = (curriculum.ROOT / "docs" / "records.md").read_text("utf-8")
    section = page.partition("## A course")[2].partition("\n## ")[0]
    assert set(line) == set(re.findall(r'"(\w+)": ', section.partition('"exercises"')[0])) | {
        "exercises", "seconds", "sandbox", "version", "secret", "submission", "basis"}  # fmt: skip
    assert set(line["basis"]) == set(PARTS) - {"grace", "questions", "waived"}  # These three are recorded only if used.
    softmax = next(exercise for exercise in line["exercises"] if exercise["exercise"] == "softmax")
    assert softmax["misconception"] == MISTAKES["softmax"][2] and softmax["points"] == 4.5
    assert line["student"] == "wrong" and line["points"] == sum(graded.scores("wrong", "one_query").values())
    assert not list((graded.folder / "feedback").rglob("*.json"))


@pytest.mark.parametrize(("chapter", "student"), [case("embeddings", "solved"), case("embeddings", "changed_given")])
def test_a_changed_given_package_is_restored(graded, chapter, student):
    for path in files_in(curriculum.EXERCISES / "given"):
        original = (curriculum.EXERCISES / "given" / path).read_bytes()
        place = graded.folder / "autograded" / student / UNIT_OF[chapter] / "given" / path
        assert place.read_bytes() == original


@pytest.mark.parametrize("chapter", [case(each) for each in curriculum.CHAPTERS])
def test_feedback_shows_no_suite_and_no_solution(graded, chapter):
    students = [write.__name__ for each, write in SUBMISSIONS if each == chapter]
    pages = "".join(graded.read(student, chapter) for student in students)
    suites = "".join((curriculum.SUITES / f"test_{name}.py").read_text("utf-8") for name in points_of(chapter))
    secret_lines = {line.strip() for line in suites.splitlines() if "test_" in line or "answer" in line}
    assert secret_lines
    assert not [line for line in secret_lines if line in pages]
    assert "autograder" not in pages
    messages = [graded.read_message(student, exercise) for student in students for exercise in points_of(chapter)]
    assert not [text for text in messages if "most recent call" in text]
    # A page shows the submitted code. If nothing was solved, it shows no line of a solution.
    assert all(line in graded.read("solved", chapter) for line in body_lines(chapter))
    for student in {"untouched", "unreadable"} & set(students):
        assert not [line for line in body_lines(chapter) if line in graded.read(student, chapter)]
