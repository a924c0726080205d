"""Regrading a course: unchanged and changed work, manual scores, and submissions that cannot be graded."""

import datetime
import shutil
import zipfile

import pytest

from autograder.chapters.errors import CourseError
from autograder.judging.judge import ExerciseRun
from support.course import EXERCISES, UNIT_OF, cell_of, change, points_of, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

CHAPTER = "one_query"
UNIT = UNIT_OF[CHAPTER]
DUE = datetime.datetime(2026, 10, 5, 12)
LATE = """
from nbgrader.plugins import LateSubmissionPlugin


class OnePoint(LateSubmissionPlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return total_seconds_late // 3600


c.AssignLatePenalties.plugin_class = OnePoint
"""


@pytest.fixture
def course(released, tmp_path):
    course = released.copy_to(tmp_path / "course")
    course.submit("ada", solved(course.release(CHAPTER)), CHAPTER)
    course.submit("bob", mistaken(course), CHAPTER)
    return course


def mistaken(course):
    notebook = solved(course.release(CHAPTER))
    change(notebook, "softmax", "scores - scores.max()", "scores")
    return notebook


def list_statuses(course, **options):
    return {each.student: each.status.name.lower() for each in course.grade(**options)}


def test_only_new_and_changed_submissions_are_graded(course):
    assert list_statuses(course) == {"ada": "graded", "bob": "graded"}
    before = course.read_everything()
    assert list_statuses(course) == {"ada": "kept", "bob": "kept"}
    course.submit("bob", solved(course.release(CHAPTER)), CHAPTER)
    course.submit("cy", mistaken(course), CHAPTER)
    assert list_statuses(course) == {"ada": "kept", "bob": "graded", "cy": "graded"}
    assert course.scores("bob", CHAPTER) == points_of(CHAPTER)
    shutil.rmtree(course.folder / "autograded" / "ada")
    assert list_statuses(course) == {"ada": "graded", "bob": "kept", "cy": "kept"}
    after = course.read_everything()
    assert all(after[key] == before[key] for key in before if key[0] == "ada")
    assert list_statuses(course, again=True) == {"ada": "graded", "bob": "graded", "cy": "graded"}
    assert course.read_everything() == after


def test_manual_scores_survive_regrading_and_changed_points_count(course):
    course.configure(LATE)
    course.submit("ada", solved(course.release(CHAPTER)), CHAPTER, timestamp="2026-10-05 17:20:00 +0200")
    course.submit("bob", mistaken(course), CHAPTER, timestamp="2026-10-05 12:00:00 UTC")
    with course.kit.open_gradebook() as gradebook:
        gradebook.update_or_create_assignment(UNIT, duedate=DUE)
    course.grade()

    def submission(gradebook, student="ada"):
        return gradebook.find_submission(UNIT, student)

    with course.kit.open_gradebook() as gradebook:
        assert submission(gradebook).timestamp == datetime.datetime(2026, 10, 5, 15, 20)  # It is stored in UTC.
        penalty = submission(gradebook).late_submission_penalty
        assert penalty == 3 and not submission(gradebook, "bob").total_seconds_late
        grade = gradebook.find_grade("softmax", CHAPTER, UNIT, "ada")
        grade.manual_score, grade.extra_credit = 5, 1
        gradebook.find_comment("softmax-answer", CHAPTER, UNIT, "ada").manual_comment = "Nice!"
        gradebook.db.commit()
    course.submit("ada", mistaken(course), CHAPTER)
    assert list_statuses(course) == {"ada": "graded", "bob": "kept"}
    with course.kit.open_gradebook() as gradebook:
        grade = gradebook.find_grade("softmax", CHAPTER, UNIT, "ada")
        assert (grade.auto_score, grade.manual_score, grade.extra_credit, grade.score) == (4.5, 5, 1, 6)
        assert gradebook.find_comment("softmax-answer", CHAPTER, UNIT, "ada").comment == "Nice!"
        assert submission(gradebook).late_submission_penalty == 3
        mine = submission(gradebook).score
        gradebook.grant_extension(UNIT, "ada", hours=2)
    submissions = {each.student: each for each in course.grade()}  # The extension changes the penalty.
    assert {who: each.status.name.lower() for who, each in submissions.items()} == {"ada": "graded", "bob": "kept"}
    worth = submissions["ada"].changes[0].worth
    assert [str(each) for each in submissions["ada"].changes] == [
        f"penalty 3 -> 1 of {worth:g} (an extension was given or taken back)",
        f"total {mine - 3:g} -> {mine - 1:g} of {worth:g} (an extension was given or taken back)",
    ]
    assert "penalty,3.0,1.0" in (course.folder / "changes.csv").read_text()
    with course.kit.open_gradebook() as gradebook:
        assert submission(gradebook).extension == datetime.timedelta(hours=2)
        assert submission(gradebook).late_submission_penalty == 1
    assert not any(course.pages().values())
    assert "Nice!" in course.feedback("ada", CHAPTER)


def test_the_gradebook_is_that_of_plain_nbgrader(course, tmp_path):
    course.submit("cy", "no notebook", CHAPTER)
    course.submit("dee", course.release(CHAPTER), CHAPTER, timestamp="2026-10-05 12:00:00 UTC")
    course.submit("gil", move_into_given_cell(course, is_merged=False), CHAPTER)
    course.submit("hal", move_into_given_cell(course, is_merged=True), CHAPTER)
    other = course.copy_to(tmp_path / "other")
    course.grade()
    assert course.read_everything()
    for student in other.kit.list_students(UNIT):  # Copy the files with the names that `grade` has corrected.
        shutil.copytree(course.folder / "submitted" / student, other.folder / "submitted" / student, dirs_exist_ok=True)
    code, output = other.nbgrader("autograde", UNIT)
    assert code == 0, output
    assert other.read_everything() == course.read_everything()


def test_an_ungradable_submission_does_not_stop_the_others(course):
    course.submit("eve", solved(course.release(CHAPTER)), CHAPTER, timestamp="yesterday?")
    course.submit("fay", solved(course.release(CHAPTER)), CHAPTER, files={"given": "a file"})
    submissions = {each.student: each for each in course.grade()}
    assert submissions["eve"].status.name == "REFUSED"
    assert submissions["eve"].problems[-1].startswith("timestamp.txt contains no time (yesterday?)")
    assert {submissions["ada"].status.name, submissions["bob"].status.name} == {"GRADED"}
    (course.folder / "submitted" / "eve" / UNIT / "timestamp.txt").unlink()
    assert list_statuses(course)["eve"] == "graded"


def test_an_internal_fault_costs_no_points_and_is_reported(course, monkeypatch):
    def broken(self, task, **how):
        raise ValueError("no such suite")

    with monkeypatch.context() as patch:
        patch.setattr("autograder.judging.grader.Grader.grade", broken)
        submissions = course.grade()
    assert {each.status.name.lower() for each in submissions} == {"faulted"}
    assert "not graded, through no fault of the learner: " in submissions[0].problems[-1]
    assert "no such suite" in submissions[0].problems[-1]
    assert not course.read_everything()
    assert list_statuses(course) == {"ada": "graded", "bob": "graded"}


def test_an_answer_that_the_grader_fails_over_waits_for_a_person(course, monkeypatch):
    judge = ExerciseRun._judge

    def fails_over_one(self):
        file = self.session and self.session.file
        if self.exercise.name == "softmax" and file and any("scores.max()" in cell.source for cell in file.cells):
            raise RecursionError("\x1b[31m of the answer")
        judge(self)

    with monkeypatch.context() as patch:
        patch.setattr(ExerciseRun, "_judge", fails_over_one)
        text = course.says("grade")
    assert "ada: one_query: softmax still has to be graded, by hand or again: The grader failed" in text
    assert "of the answer" not in text
    scores = course.scores("ada", CHAPTER)
    assert scores.pop("softmax") is None and None not in scores.values()
    assert course.scores("bob", CHAPTER)["softmax"] is not None
    assert list_statuses(course) == {"ada": "graded", "bob": "kept"}
    assert course.scores("ada", CHAPTER)["softmax"] == 8


def test_deeply_nested_code_next_to_a_leftover_stub_is_graded(course):
    deep = "+".join(["1"] * 2000)
    notebook = course.release(CHAPTER)
    left = f"def softmax(scores):\n    x = {deep}\n    raise NotImplementedError\n"
    cell_of(notebook, "softmax-answer").source = left
    course.submit("deep", notebook, CHAPTER)
    assert list_statuses(course) == {"ada": "graded", "bob": "graded", "deep": "graded"}
    assert course.scores("deep", CHAPTER)["softmax"] == 0


def move_into_given_cell(course, is_merged):
    """Return a solved notebook whose softmax is in the cell that checks it, or whose code is all in that cell."""
    notebook = solved(course.release(CHAPTER))
    answer, check = cell_of(notebook, "softmax-answer"), cell_of(notebook, "softmax")
    if is_merged:
        check.source = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
        notebook.cells = [check]
    else:
        stub = cell_of(course.release(CHAPTER), "softmax-answer").source
        check.source, answer.source = f"{answer.source}\n{check.source}", stub
    return notebook


def test_an_answer_in_a_given_cell_counts(course):
    for student, is_merged in (("gil", False), ("hal", True)):
        course.submit(student, move_into_given_cell(course, is_merged), CHAPTER)
    output = course.does("grade", UNIT)
    assert " ".join(output.split()).count("was in a cell that is not meant for answers: ") == 2
    course.attn("feedback", UNIT)
    for student in ("gil", "hal"):
        points = course.scores(student, CHAPTER)
        assert points["softmax"] == EXERCISES["softmax"].points and (student == "gil" or min(points.values()) > 0)
        assert "is not meant for answers" in course.feedback(student, CHAPTER)


def test_code_in_a_test_cell_does_not_replace_an_answer(course):
    notebook = solved(course.release(CHAPTER))
    check = cell_of(notebook, "softmax")
    check.source = f"def softmax(scores):\n    return scores\n{check.source}"
    course.submit("gil", notebook, CHAPTER)
    assert "was not meant" not in course.does("grade", UNIT)
    assert course.scores("gil", CHAPTER)["softmax"] == EXERCISES["softmax"].points


def test_only_pages_that_we_wrote_go_back(course, tmp_path):
    there = course.submit("ada", course.release(CHAPTER), CHAPTER)
    (there / "x.html").mkdir()
    for name in ("zz.html", "one_query.html"):
        (there / name).write_bytes(b"<main>caf\xe9 <script>alert(1)</script>35 of 35 points</main>")
    course.grade()
    course.does("feedback", UNIT, "--zip", tmp_path / "back.zip")
    with zipfile.ZipFile(tmp_path / "back.zip") as archive:
        pages = [archive.read(place).decode() for place in archive.namelist()]
    assert len(pages) == 2
    assert not [page for page in pages if "alert(" in page or "<h1" not in page]
    assert {path.name for path in (course.folder / "feedback/ada" / UNIT).glob("*.html")} <= {
        "one_query.html", "all_queries.html"}  # fmt: skip


def test_a_missing_secret_is_reported_by_both_ways_to_grade(course):
    (course.folder / "secret").unlink()
    with pytest.raises(CourseError, match=r"secret cannot be read .*: restore it from a backup"):
        course.grade()
    code, output = course.nbgrader("autograde", UNIT, "--student=ada")
    assert code != 0
    assert "ada, one_query: not graded, through no fault of the learner." in output
    assert "secret cannot be read" in output
    assert set(course.scores("ada", CHAPTER).values()) == {None}
    assert not (course.folder / "autograded" / "ada" / UNIT).exists()


@pytest.mark.needs("bubblewrap")
def test_out_and_back_through_the_exchange(course, tmp_path):
    exchange = tmp_path / "exchange"
    assert "no exchange is configured: name its folder with --exchange" in course.refuses("release", UNIT)
    for _ in range(2):  # A second release replaces the first.
        course.does("release", UNIT, "--exchange", exchange)
    assert (exchange / "attention" / "outbound" / UNIT / f"{CHAPTER}.ipynb").exists()
    inbound = exchange / "attention" / "inbound" / f"gus+{UNIT}+2026-10-05 11:00:00 UTC+x"
    shutil.copytree(course.submit("someone", solved(course.release(CHAPTER)), CHAPTER), inbound)
    shutil.rmtree(course.folder / "submitted" / "someone")
    (inbound / f"{CHAPTER}.ipynb").rename(inbound / f"{CHAPTER}(1).ipynb")
    (inbound / "timestamp.txt").write_text("2026-10-05 11:00:00 UTC")
    (inbound / "submission_secret.txt").write_text("abc")
    output = course.does("collect", "--exchange", exchange, UNIT)
    assert output.splitlines()[1].split() == [UNIT, "1", "0", "3"]
    assert f"gus: {CHAPTER}.ipynb was handed in as {CHAPTER}(1).ipynb" in output
    output = course.does("grade", UNIT)
    assert output.splitlines()[1].split()[:4] == [UNIT, "3", "0", "0"]
    assert "Put into the exchange: 1." in course.does("feedback", "--exchange", exchange)
    assert len(list((exchange / "attention" / "feedback").glob("*.html"))) == 2


def test_a_course_is_graded_by_one_run_at_a_time(course):
    messages = []

    class SecondRun(list):
        """A value for `again` that starts a second run when the first run tests its truth."""

        def __bool__(self):
            with pytest.raises(CourseError, match="is being graded by another run") as error_info:
                course.grade()
            messages.append(error_info)
            return False

    course.grade(again=SecondRun())
    assert messages


def test_errors_are_sentences(released, tmp_path):
    course = released.copy_to(tmp_path / "course")
    for words, told in (
        (("grade",), "nothing has been handed in for attention-basics"),
        (("feedback",), "nothing has been graded for attention-basics"),
        (("grade", "softmax"), "softmax is not an assignment of this course: it has attention-basics, "),
        (("collect", "--from", "nothing.zip"), "a download belongs to one assignment, so name it: attention-basics"),
        (("collect", UNIT, "--from", "nothing.zip"), "nothing.zip is not there"),
        (("release", "--course", tmp_path), "is not a course: create one with `attn course new"),
    ):
        output = course.refuses(*words)
        assert told in output
        assert len(output.splitlines()) == 1
