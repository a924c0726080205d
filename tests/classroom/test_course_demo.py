"""`attn course demo`: each sample learner gets the intended result, and pages load nothing from the web."""

import os
import re

import pytest

from autograder.chapters import curriculum
from autograder.classroom.returns.class_data import read_class
from autograder.cli.demo import CLASS, UNIT
from support.course import Course, points_of
from support.report_class import CHAPTERS

POINTS = sum(exercise.points for exercises in CHAPTERS.values() for exercise in exercises)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    here = Course(tmp_path_factory.mktemp("demo"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curriculum, "UNITS", {UNIT: curriculum.UNITS[UNIT]})  # Other units are built in the same way.
        patch.setattr(os, "cpu_count", lambda: 1)  # One process is enough for twelve learners.
        code, output = here.attn("demo", "shown")
    assert code == 0, output
    course = Course(here.folder / "shown")
    course.printed = output
    course.learners = {learner.id: learner for learner in read_class(course.kit, UNIT).learners}
    return course


def read_outcomes(demo, student):
    return {
        each["exercise"]: (each["outcome"], each["misconception"])
        for _, each in demo.learners[student].iter_exercises()
    }


def test_the_demo_course_has_a_learner_for_each_case(demo):
    assert demo.learners.keys() == CLASS.keys()
    for student, learner in CLASS.items():
        assert f"student {student[-2:]} ({learner['words']})" == demo.learners[student].name
        assert demo.learners[student].name in demo.printed


def test_right_answers_in_different_styles_get_everything(demo):
    scores = {student: demo.learners[student].score for student in CLASS}
    everything = sum(sum(points_of(chapter).values()) for chapter in curriculum.UNITS[UNIT])
    assert [scores[f"student-0{number}"] for number in (1, 2, 3)] == [everything] * 3
    assert demo.learners["student-04"].state == "late"
    assert scores["student-04"] == everything - 2 * 4  # Each notebook loses two points a day; 30 hours are two days.
    assert scores["student-08"] == scores["student-11"] == 0
    assert scores["student-12"] is None and demo.learners["student-12"].state == "missing"


def test_the_mean_is_of_the_scores_that_count(demo):
    scores = [learner.score for learner in demo.learners.values() if learner.score is not None]
    row = next(line for line in demo.printed.splitlines() if re.match(rf"{UNIT} +\d+ +\d+ +\d+ +[\d.]+ ", line))
    assert row.split()[4:7] == [f"{sum(scores) / len(scores):.1f}", str(POINTS), "1"], "late penalties are taken off"


def test_mistakes_are_named(demo):
    results = read_outcomes(demo, "student-06")
    assert results["softmax"] == ("wrong", "no_maximum_subtracted") == read_outcomes(demo, "student-05")["softmax"]
    assert results["causal_mask"] == ("wrong", "looks_ahead")
    assert results["batched_softmax"] == ("wrong", "softmax_over_the_queries")
    assert results["scaled_dot_product_attention"] == ("wrong", "not_scaled")
    assert results["calculate_attention_vector"] == ("wrong", "summed_over_hidden_units")


def test_the_hostile_one_costs_itself_four_exercises(demo):
    results = read_outcomes(demo, "student-09")
    others = {name for name, (outcome, _) in results.items() if outcome != "passed"}
    assert others == {"single_dot_attention_score", "normalize_by_sum", "softmax", "attend"}
    assert results["normalize_by_sum"][0] == "timeout" and results["softmax"][0] == "killed"
    assert "No module named 'autograder'" in demo.read_message("student-09", "single_dot_attention_score")


def test_half_done_is_not_wrong(demo):
    results = [outcome for outcome, _ in read_outcomes(demo, "student-07").values()]
    assert results == ["passed"] * 4 + ["unattempted"] * (len(results) - 4)


def test_the_report_of_the_demo_has_similar_answers(demo):
    report = demo.folder / "report.html"
    alike = report.read_text(encoding="utf-8").partition("Similar answers")[2].partition("Everybody")[0]
    assert set(re.findall(r"student \d+", alike)) == {"student 02", "student 03"}


def test_html_is_text(demo):
    pages = [demo.folder / "report.html", *(demo.folder / "feedback").rglob("*.html")]
    assert len(pages) == 1 + 11 * 2
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<script" not in text  # The page has neither a learner's script nor its own.
        assert not re.search(r"(src|<link[^>]*href)\s*=\s*[\"']?https?:", text)  # Links in the prose fetch nothing.
    assert "<script>alert('printed')</script>" in demo.read("student-10", "one_query")


def test_a_feedback_page_unfolds_only_what_needs_attention(demo):
    page = demo.feedback("student-06", "one_query")
    assert "NotRight" not in page and "sns.heatmap" not in page and "numbers that sum to 1" not in page
    folded = re.findall(r'<details id="(\w+)" class="card right">', page)
    assert folded == ["single_dot_attention_score", "dot_attention_score", "normalize_by_sum", "apply_attention_scores"]
    opened = re.findall(r'<article id="(\w+)" class="card (\w+)">', page)
    assert opened == [("softmax", "partly"), ("calculate_attention_vector", "wrong"), ("attend", "partly")]


def test_a_sentence_about_all_exercises_is_shown_once(demo):
    page = demo.feedback("student-11", "one_query")
    head = page.partition("</header>")[0]
    assert head.count("is not a readable notebook") == 1 and "<article" not in page


def test_only_comments_of_the_teachers_are_announced(demo):
    assert "with a comment" not in demo.read("student-07", "one_query")  # nbgrader itself comments "No response."
    with demo.kit.open_gradebook() as gradebook:
        comment = gradebook.find_comment("attend-answer", "one_query", UNIT, "student-07")
        comment.manual_comment = "Go on like *this*."
        gradebook.db.commit()
    assert not any(demo.pages().values())
    page = demo.feedback("student-07", "one_query")
    assert page.count("with a comment") == 1 and "Go on like <em>this</em>." in page
    assert re.search(r'href="#attend">attend</a>.*<em>with a comment</em></li>', page)


def test_a_second_time_the_folder_is_refused(demo):
    output = Course(demo.folder.parent).refuses("demo", "shown")
    assert "shown already exists: name a new or empty folder" in output


def test_the_demo_creates_nothing_without_a_sandbox(tmp_path, no_sandbox):
    assert "Without it other people" in Course(tmp_path).refuses("demo", "shown")
    assert not (tmp_path / "shown").exists()
