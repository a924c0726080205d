"""Graded work keeps its groups, times, extensions and manual scores until a message reports a change."""

import datetime
import json

import pytest

from autograder.classroom.course.deadlines import Arrival
from autograder.classroom.course.plan import Assignment, Plan
from support.course import cell_of, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

PLAN = """timezone = "Europe/Berlin"

[assignments.team]
chapters = ["one_query"]
exercises = ["softmax"]
group_work = true

[assignments.week]
chapters = ["one_query", "all_queries"]
exercises = ["softmax", "causal_mask"]
due = 2026-10-21T18:00:00
late = "refuse"
grace = 5

[assignments.exam]
chapters = ["all_queries"]
exercises = ["padding_mask"]
exam = true
due = 2026-11-20
"""
ROSTER = "id,name,section,group\nada,Ada Adams,S,G1\nbob,Bob Berg,S,G1\ncem,Cem Can,S,G2\ndora,Dora Diaz,S,G2\n"


@pytest.fixture
def course(built, tmp_path):
    return built.copy_to(tmp_path / "course")


def hand_in_both(course, student, when):
    for chapter in ("one_query", "all_queries"):
        course.hand_in(student, "week", chapter, when)


def test_new_groups_change_no_grade_without_regroup(course):
    course.hand_in("ada", "team")
    course.does("grade", "team")
    before = course.read_points("team")
    course.read_roster(ROSTER.replace("bob,Bob Berg,S,G1", "bob,Bob Berg,S,G2"))
    assert "`attn course grade team --regroup` uses today's groups" in course.says("grade", "team")
    assert course.read_points("team") == before
    assert "Nothing was written" in course.says("grade", "team", "--regroup", "--dry-run")
    assert course.read_points("team") == before
    course.does("grade", "team", "--regroup")
    assert course.read_points("team") == {"ada": "8", "bob": "", "cem": "", "dora": ""}


def test_groups_differ_from_assignment_to_assignment(course):
    (course.folder / "teams.csv").write_text("id,name,group\nada,Ada Adams,T1\ncem,Cem Can,T1\n", encoding="utf-8")
    course.does("roster", "teams.csv", "--assignment", "team")
    assert "group team" in (course.folder / "roster.csv").read_text().splitlines()[0]
    course.hand_in("ada", "team")
    course.does("grade", "team")
    results = course.read_points("team")
    assert (results["cem"], results["bob"]) == ("8", "")


def test_an_extension_keeps_the_hour_over_a_clock_change_and_only_grows(course):
    assert "until Wed 28 Oct 2026 18:00 CET" in course.says("extend", "ada", "week", "7d")
    assert "Ada Adams: week, until Wed 28 Oct 2026 18:00 CET" in course.says("extend", "S", "week", "1d")
    hand_in_both(course, "ada", "2026-10-28 16:30:00 UTC")  # This is 17:30 in Berlin, in winter time.
    hand_in_both(course, "bob", "2026-10-28 16:30:00 UTC")
    output = course.says("grade", "week")
    assert "ada:" not in output and "bob: week was handed in" in output
    course.does("due", "week", "2026-10-20T18:00")
    assert "Ada Adams: until Wed 28 Oct 2026 18:00 CET" in course.says("due", "week")  # The promised extension is kept.


def test_the_command_that_a_refusal_advises_takes_it(course):
    course.does("extend", "bob", "week", "2d")
    hand_in_both(course, "bob", "2026-10-24 20:20:30 UTC")
    output = course.says("grade", "week")
    assert "too late" in output
    advised = output.partition("`attn course ")[2].partition("`")[0].split()
    course.does(*advised)
    assert "too late" not in course.says("grade", "week")
    assert course.read_points("week")["bob"] != ""


def test_work_without_a_timestamp_is_not_graded_if_late_work_is_refused(course):
    hand_in_both(course, "ada", None)
    output = course.says("grade", "week")
    assert "ada: week came at an unknown time, so it is not graded yet" in output
    assert not (course.folder / "autograded/ada/week").exists()
    (course.folder / "submitted/ada/week/timestamp.txt").write_text("2026-10-21 18:03+0200")
    course.does("grade", "week")  # This time is within the grace period.
    counted = json.loads((course.folder / "counted/week.json").read_text())["ada"]
    assert (counted["late"], counted["students"]) == (0, ["ada"])


@pytest.mark.parametrize(
    ("time", "said_late", "late"),
    [
        ("2026-11-20 23:00", False, 0),
        ("2026-11-20 23:04", False, 0),
        ("2026-11-20 23:06", False, 360),
        ("", True, None),
        ("", False, 0),
    ],
)
def test_grace_is_as_if_in_time_and_an_unknown_time_later_than_any(time, said_late, late):
    plan = Plan({}, datetime.timezone(datetime.timedelta(hours=1)))
    until = plan.add_zone(datetime.datetime(2026, 11, 21))
    planned = Assignment("week", (), grace=datetime.timedelta(minutes=5))
    arrival = Arrival(planned, datetime.datetime.fromisoformat(time) if time else None, said_late, until)
    assert (None if arrival.delay is None else arrival.delay.total_seconds()) == late


def test_a_day_as_a_due_date_lasts_until_midnight(course):
    course.hand_in("ada", "exam", "all_queries", "2026-11-20 22:59:30 UTC")
    course.hand_in("bob", "exam", "all_queries", "2026-11-20 23:00:00 UTC")
    output = course.says("grade", "exam")
    assert "ada:" not in output and "bob: exam was handed in 1 minute too late" in output


def test_an_exam_leaves_by_its_name_and_when_it_opens(course, tmp_path):
    exchange = tmp_path / "exchange"
    exchange.mkdir(mode=0o777)
    output = course.says("release", "--exchange", exchange)
    assert "exam is an exam without `opens`" in output and "Released: team, week." in output
    assert "without `opens`" in course.refuses("release", "exam", "--exchange", exchange)
    course.edit_plan("exam = true\ndue = 2026-11-20\n", "exam = true\nopens = 2999-01-01T10:00:00\n")
    assert "so it is not released yet" in course.says("release", "--exchange", exchange)
    assert "exam opens on" in course.refuses("release", "exam", "--exchange", exchange)
    assert not (exchange / "attention/outbound/exam").exists()
    course.edit_plan("opens = 2999", "opens = 2026")
    assert "exam is an exam, so it is released only by name" in course.says("release", "--exchange", exchange)
    assert "Released: exam." in course.says("release", "exam", "--exchange", exchange)


def test_a_hand_in_that_brings_less_replaces_nothing_else(course, tmp_path):
    complete = {f"ada/{chapter}.ipynb": (chapter, "week") for chapter in ("one_query", "all_queries")}
    course.does("collect", "week", "--from", course.zip(tmp_path / "a.zip", complete))
    (course.folder / "submitted/ada/week/timestamp.txt").write_text("2026-10-21 12:00:00 UTC")
    course.edit_plan('late = "refuse"\n', "")
    less = course.zip(tmp_path / "b.zip", {"ada/one_query-1.ipynb": ("one_query", "week")})
    output = course.says("collect", "week", "--from", less)
    assert (
        "ada: all_queries.ipynb is missing this time; the earlier version is kept" in output
        and "replaced: ada" in output
    )
    assert "no time is known for 1 of 1: ada" in output
    assert (course.folder / ".replaced/week/ada/one_query.ipynb").exists()
    assert (course.folder / "submitted/ada/week/all_queries.ipynb").exists()


def test_unknown_learners_are_reported_and_similar_ids_refused(course, tmp_path):
    zipped = course.zip(tmp_path / "a.zip", {"Weber_Tom_471/one_query.ipynb": ("one_query", "team")})
    assert "Weber_Tom_471 is not in the roster" in course.says("collect", "team", "--from", zipped)
    course.hand_in("ADA", "team")
    assert "ADA is not in the roster, and ada is" in course.says("grade", "team")


def test_code_below_an_answer_costs_no_points(course):
    notebook = solved(course.release("one_query", "team"))
    cell = cell_of(notebook, "softmax-answer").copy()
    cell.id, cell.metadata = "mine", {}
    cell.source = "softmax = softmax([1.0, 2.0])\nsoftmax"
    notebook.cells.append(cell)
    course.submit("ada", notebook, "one_query", assignment="team")
    assert "softmax is defined again in cell" in course.says("grade", "team")
    assert course.read_points("team")["ada"] == "8"
