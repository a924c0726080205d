"""Events of a term: waived exercises, removed learners, attempts in any order, and advice that works when followed."""

import json
import re
import zipfile

import pytest

from support.course import cell_of, change, new, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

PLAN = """timezone = "Europe/Berlin"

[assignments.week]
chapters = ["one_query"]
exercises = ["softmax"]
add = [{ after = "softmax", file = "own/why.md", points = 5 }]
due = 2026-10-21T18:00:00

[assignments.team]
chapters = ["one_query"]
exercises = ["attend"]
group_work = true

[assignments.exam]
chapters = ["all_queries"]
exercises = ["padding_mask"]
exam = true
opens = 2026-01-01T10:00:00
due = 2026-11-20
"""
PEOPLE = "id,name,email,group\nada,Ada Adams,ada@x.org,G1\nbob,Bob Berg,bob@x.org,G1\ncem,Anna Klein,a@x.org,\n"
PEOPLE += "dora,Anna Klein,d@x.org,\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("term") / "course"
    (folder / "own").mkdir(parents=True)
    (folder / "own/why.md").write_text("Why does softmax sum to 1?")
    (folder / "course.toml").write_text(PLAN)
    course = new(folder)
    course.read_roster(PEOPLE)
    return course


@pytest.fixture
def course(built, tmp_path):
    course = built.copy_to(tmp_path / "course")
    course.configure(f"c.Exchange.root = {str(tmp_path / 'exchange')!r}\n")
    (tmp_path / "exchange").mkdir(mode=0o777)
    return course


def hand_in(course, student, assignment="week", *, wrong=False):
    chapter = "all_queries" if assignment == "exam" else "one_query"
    course.hand_in(student, assignment, chapter, "2026-10-20 10:00:00 UTC", ("return ", "return 0 * ") if wrong else ())


def give(course, student, cell, given):
    with course.kit.open_gradebook() as gradebook:
        grade = gradebook.find_grade(cell, "one_query", "week", student)
        grade.manual_score, grade.needs_manual_grade = given, False
        gradebook.db.commit()


def test_waiving_an_exercise_can_be_undone(course):
    for student in ("ada", "bob", "cem"):
        hand_in(course, student, wrong=student != "ada")
    course.does("grade", "week")
    give(course, "cem", "softmax", 3)
    give(course, "cem", "why-question", 2)
    before = course.read_points("week")
    assert before | {"dora": ""} == {"ada": "8", "bob": "0", "cem": "5", "dora": ""}
    assert "full points for everybody who handed in" in course.says("waive", "week", "softmax")
    output = course.says("grade", "week", "--dry-run")
    assert "bob, week: softmax 0 -> 8 of 8 (an exercise was waived, or is no longer waived)" in output
    assert "cem, week: softmax 3 -> 8 of 8" in output and course.read_points("week") == before
    course.does("grade", "week")
    assert course.read_points("week") | {"dora": ""} == {"ada": "8", "bob": "8", "cem": "10", "dora": ""}
    course.does("feedback", "week", "--student", "bob")
    page = (course.folder / "feedback/bob/week/one_query.html").read_text()
    assert "8 of 8 points: everybody who submitted gets all of them" in page
    assert "softmax: 8 of 8 points, waived for everybody" in course.says("show", "cem", "week")
    course.does("waive", "week", "why-question", "--none")
    course.does("grade", "week")
    assert course.read_points("week")["cem"] == "8" and (course.folder / "changes.csv").read_text().count("waived") > 2
    for exercise in ("softmax", "why-question"):
        course.does("waive", "week", exercise, "--undo")
    course.does("grade", "week")
    assert course.read_points("week") == before
    course.does("export", "gradescope", "--assignment", "week", "--to", "g.zip")


def test_a_learner_is_forgotten_everywhere_and_the_group_keeps_its_points(course, tmp_path):
    for assignment in ("week", "team"):
        hand_in(course, "ada", assignment)
    hand_in(course, "ada", "week", wrong=True)
    inbound = tmp_path / "exchange/attention/inbound"
    (inbound / "ada+week+2026-10-20 10:00:00 UTC").mkdir(parents=True)
    course.does("extend", "ada", "week", "2d")
    course.does("grade")
    hand_in(course, "ada", "week")
    course.does("grade")
    course.does("feedback")
    assert course.read_points("team")["bob"] == "6"
    assert "Nothing was removed yet: attn course forget ada --yes" in course.says("forget", "Ada Adams")
    assert course.read_points("week")["ada"] == "8"
    course.does("forget", "ada", "--yes")
    for name in ("table.csv", "overview.csv"):  # `forget` leaves tables that a teacher made.
        (course.folder / name).unlink()
    for path in [*course.folder.rglob("*"), *inbound.iterdir()]:
        assert not re.search(r"\bada\b", path.name), path
        if path.is_file() and path.suffix in (".csv", ".json", ".db") and "release" not in path.parts:
            assert not re.search(rb"\bada\b|Ada Adams", path.read_bytes()), path
    assert course.read_points("team")["bob"] == "6"
    assert "0 " in course.says("grade", "team") and course.read_points("team")["bob"] == "6"


@pytest.mark.parametrize("turned", [False, True])
def test_the_latest_attempt_in_a_download_counts(course, tmp_path, turned):
    course.configure(
        "c.FileNameCollectorPlugin.named_regexp = "
        r"""r".*_(?P<student_id>\w+)_attempt_(?P<timestamp>[0-9\-]+)_(?P<file_id>\w+\.ipynb)" """ + "\n"
    )
    notebook = solved(course.release("one_query", "week"))
    late = json.dumps(notebook)
    change(notebook, "softmax", "return ", "return 0 * ")
    files = {"2026-10-20-11-00-00": json.dumps(notebook), "2026-10-20-17-00-00": late}
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for time in sorted(files, reverse=turned):
            archive.writestr(f"Week_ada_attempt_{time}_one_query.ipynb", files[time])
    output = course.says("collect", "week", "--from", tmp_path / "a.zip")
    assert "ada: the attempt of 2026-10-20 17:00:00 CEST counts; not used: 2026-10-20 11:00:00 CEST" in output
    assert (course.folder / "submitted/ada/week/timestamp.txt").read_text() == "2026-10-20 15:00:00 UTC"
    course.does("grade", "week")
    assert course.read_points("week")["ada"] == "8"


def download(course, *names):
    course.zip(course.folder / "a.zip", {f"{name}/one_query.ipynb": ("one_query", "week") for name in names})
    return "collect", "week", "--from", "a.zip"


def stranger(course):
    message = course.says(*download(course, "471"))
    roster = course.folder / "roster.csv"
    roster.write_text(roster.read_text().replace("ada@x.org,,,", "ada@x.org,,471,"))
    course.does(*download(course, "471"))
    yield message
    course.does("forget", "471", "--yes")
    assert (course.folder / "submitted/ada/week").is_dir() and not (course.folder / "submitted/471").exists()


def exam(course):
    yield course.says("release")
    assert (course.folder.parent / "exchange/attention/outbound/exam").is_dir()


def withhold_exam_feedback(course):
    hand_in(course, "ada", "exam")
    course.does("grade", "exam")
    yield course.refuses("feedback", "exam")
    assert (course.folder / "feedback/ada/exam").is_dir()


def ahead(course):
    hand_in(course, "ada")
    course.edit_plan("points = 5", "points = 7")
    yield course.says("grade", "week")
    assert "ahead" not in course.says("grade", "week")


def graded_before(course):
    hand_in(course, "ada")
    course.does("grade", "week")
    yield course.says("extend", "ada", "week", "2d")


def gone(course):
    (course.folder / "list.csv").write_text(PEOPLE.partition("cem")[0])
    yield course.says("roster", "list.csv")
    assert course.does("roster").count("has left") == 2


@pytest.mark.parametrize(
    ("situation", "advised"),
    [
        (stranger, "forget 471"),
        (exam, "release exam"),
        (withhold_exam_feedback, "feedback exam --release"),
        (ahead, "build"),
        (graded_before, "grade week"),
        (gone, "roster list.csv --leave"),
    ],
)
def test_advised_commands_work_in_the_situation_of_the_message(course, situation, advised):
    steps = situation(course)
    message = next(steps)
    assert (f"attn course {advised}" if situation is not gone else "run this again with --leave") in message
    course.does(*advised.replace(" ID", " ada").split())
    assert next(steps, None) is None


def test_namesakes_on_moodle_need_the_worksheet(course):
    command = download(course, "Anna Klein_5000_assignsubmission_file_", "Ada Adams_5001_assignsubmission_file_")
    output = course.says(*command)
    assert "Anna Klein (5000): several learners have this name; skipped: collect it with --worksheet" in output
    assert sorted(path.name for path in (course.folder / "submitted").iterdir()) == ["ada"]
    sheet = "Identifier,Full name,Email address,Status,Last modified (submission)\n"
    sheet += 'Participant 5000,Anna Klein,d@x.org,Draft (not submitted),"Tuesday, 20 October 2026, 10:15 AM"\n'
    (course.folder / "sheet.csv").write_text(sheet)
    output = course.says(*command, "--worksheet", "sheet.csv")
    assert "Draft (not submitted) in Moodle, and collected like the others: Anna Klein (5000)" in output
    assert (course.folder / "submitted/dora/week/timestamp.txt").read_text() == "2026-10-20 08:15:00 UTC"


@pytest.mark.parametrize(
    ("extra", "handed_in", "is_late"),
    [
        ("25%", "2027-02-09 12:00:00", False),  # 25 % of the 324 days from `opens` to `due`
        ("25%", "2027-02-10 12:00:00", True),
        ("2d", "2026-11-22 22:59:00", False),
        ("2d", "2026-11-22 23:01:00", True),
    ],
)
def test_extra_time_in_the_roster_applies_to_each_assignment(course, extra, handed_in, is_late):
    course.read_roster(PEOPLE.replace("group", "extra").replace("G1", extra, 1).replace("G1", ""))
    for student in ("ada", "bob"):
        hand_in(course, student, "exam")
        (course.folder / f"submitted/{student}/exam/timestamp.txt").write_text(f"{handed_in} UTC")
    output = course.says("grade", "exam")
    assert ("ada: exam was handed in" in output, "bob: exam was handed in" in output) == (is_late, True)


def test_renamed_files_are_reported_once_and_pending_grades_in_the_overview(course):
    notebook = solved(course.release("one_query", "week"))
    cell_of(notebook, "why-question").source = "Each is divided by all of them."
    folder = course.submit("ada", notebook, "one_query", assignment="week", timestamp="2026-10-20 10:00:00 UTC")
    (folder / "one_query.ipynb").rename(folder / "one_query (1).ipynb")
    assert "one_query.ipynb was handed in as one_query (1).ipynb" in course.says("grade", "week")
    assert "handed in as" not in course.says("grade", "week")
    output = course.does("overview")
    assert "week: still to be graded by hand, so their points may change: ada." in output
    hand_in(course, "bob", "exam")
    course.does("grade", "exam")
    assert course.does("overview").split()[:3] == ["who", "week", "exam"]  # Columns are in the order of the plan.


def test_nbgraders_own_step_leaves_no_points_of_a_refused_hand_in(course):
    hand_in(course, "ada", "exam")
    (course.folder / "submitted/ada/exam/timestamp.txt").write_text("2026-12-20 10:00:00 UTC")
    course.kit.api.autograde("exam", "ada")
    with course.kit.open_gradebook() as gradebook:
        assert gradebook.assignment_submissions("exam") == []


def test_a_plan_may_begin_with_a_byte_order_mark(course):
    path = course.folder / "course.toml"
    path.write_text("\ufeff" + path.read_text())
    assert "21 Oct 2026" in course.does("due")
    course.does("due", "week", "2026-10-22")
    assert "22 Oct 2026" in course.does("due")
