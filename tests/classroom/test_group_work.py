"""A group's submission counts for all its members in points, pages, exports, report, extensions and evidence."""

import json
import re
import shutil
import zipfile

import pytest

from support.course import change, points_of, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore"), pytest.mark.needs("bubblewrap")]

PLAN = """
timezone = "UTC"

[assignments.team]
chapters = ["one_query"]
exercises = ["softmax"]
due = 2027-02-01T12:00:00
group_work = true

[assignments.alone]
chapters = ["one_query"]
exercises = ["attend"]
"""
ROSTER = """\
id,name,email,group
ada,Ada Lovelace,ada@example.org,Group 1
bo,Bo Ek,bo@example.org,Group 1
cy,Cy Young,cy@example.org,Group 1
di,Di Roy,di@example.org,Group 2
ed,Ed Sand,ed@example.org,
"""
IN_TIME, LATE = "2027-02-01 10:00:00 UTC", "2027-02-01 13:00:00 UTC"


@pytest.fixture
def course(built, tmp_path):
    return built.copy_to(tmp_path / "course")


def make_work(course, assignment="team", is_right=True):
    notebook = solved(course.release("one_query", assignment))
    if not is_right:
        change(notebook, "softmax", "return ", "return 2 * ")
    return notebook


def zip_work(course, names, assignment="team"):
    return course.zip(course.folder / "download.zip", dict.fromkeys(names, ("one_query", assignment)))


def test_one_members_work_counts_for_the_group(course):
    course.submit("bo", make_work(course), "one_query", assignment="team", timestamp=LATE)
    course.submit("ed", make_work(course, is_right=False), "one_query", assignment="team", timestamp=IN_TIME)
    assert "something else" not in course.does("grade")
    points = course.read_points("team")
    assert points["ada"] == points["bo"] == points["cy"] == f"{points_of('one_query')['softmax']:g}"
    assert points["di"] == "" and points["ed"] == "0"
    course.does("feedback", "team", "--zip", "back.zip")
    with zipfile.ZipFile(course.folder / "back.zip") as archive:
        pages = {name.partition("/")[0]: archive.read(name).decode() for name in archive.namelist()}
    assert sorted(pages) == ["ada", "bo", "cy", "ed"] and pages["ada"] == pages["bo"]
    assert "Ada Lovelace, Bo Ek, Cy Young" in pages["cy"]
    course.does("report", "team", "--csv", "report.csv")
    page, table = (course.folder / "report.html").read_text(), (course.folder / "report.csv").read_text()
    assert page.count("with Bo Ek") == 2 and "4 learners" not in page.split("Similar answers")[1].split("<h3>")[0]
    assert {line.split(",")[3] for line in table.splitlines() if line.startswith(("ada,", "cy,"))} == {"late"}
    (course.folder / "ws.csv").write_text(
        "Identifier,Full name,Email address,Grade,Maximum Grade,Last modified (grade)\n"
        + "".join(f"Participant {at},,{who}@example.org,,8.00,-\n" for at, who in enumerate(("ada", "bo", "cy", "di")))
    )
    words = "export", "moodle", "--roster", "ws.csv", "--assignment", "team", "--to", "moodle.csv"
    course.does(*words)
    lines = (course.folder / "moodle.csv").read_text().splitlines()
    assert [line.split(",")[3] for line in lines[1:]] == [*[points["bo"]] * 3, ""]
    evidence = json.loads(course.does("show", "cy", "team", "--json"))
    assert (evidence["student"], evidence["author"]) == ("cy", "bo")
    assert evidence["notebooks"][0]["as_graded"] is True


def test_groups_do_not_count_without_group_work(course):
    course.submit("bo", make_work(course, "alone"), "one_query", assignment="alone")
    course.does("grade")
    points = course.read_points("alone")
    assert points["bo"] != "" and points["ada"] == points["cy"] == ""
    course.refuses("show", "cy", "alone")


def test_an_extension_is_the_whole_groups(course):
    course.submit("bo", make_work(course), "one_query", assignment="team", timestamp=LATE)
    output = course.does("extend", "cy", "team", "2h")
    assert all(name in output for name in ("Ada", "Bo", "Cy")) and "Di" not in output
    course.does("grade")
    course.does("report", "team")
    page = (course.folder / "report.html").read_text()
    assert "<strong>Late:</strong>" not in page and page.count("in time with Bo Ek") == 2


def test_different_work_in_one_group_is_reported(course):
    course.submit("ada", make_work(course), "one_query", assignment="team", timestamp=IN_TIME)
    own = course.submit("cy", make_work(course, is_right=False), "one_query", assignment="team", timestamp=LATE)
    assert "cy: has handed in different work for team than ada, who is also in Group 1" in course.says("grade")
    points = course.read_points("team")
    assert points["ada"] == points["bo"] != points["cy"]
    shutil.rmtree(own)  # The teacher removes Cy's own work.
    assert "the work of ada now counts for cy, instead of that of cy" in course.says("grade")
    assert "cy" not in course.does("grade")
    course.submit("ada", make_work(course, is_right=False), "one_query", assignment="team", timestamp=IN_TIME)
    assert "ada and bo and cy, team: softmax" in course.does("grade")
    assert len({*map(course.read_points("team").get, ("ada", "bo", "cy"))}) == 1
    for name in ("submitted", "autograded"):
        assert (course.folder / name / "ada" / "team").is_dir()


def test_a_member_removed_from_the_group_gets_their_own_grade(course):
    course.submit("ada", make_work(course), "one_query", assignment="team", timestamp=IN_TIME)
    course.submit("cy", make_work(course, is_right=False), "one_query", assignment="team", timestamp=LATE)
    roster = course.folder / "roster.csv"
    roster.write_text(re.sub("(?m)^(cy,.*)Group 1", r"\1", roster.read_text()))
    output = course.does("grade", "--student", "bo")  # Ada handed in the work of Bo's group.
    assert "something else" not in output and not (course.folder / "autograded" / "cy").exists()
    assert (course.folder / "autograded" / "ada" / "team").is_dir()


def test_moodle_gives_each_of_a_group_a_copy_and_takes_a_page_for_each(course):
    who = {"ada": "Ada Lovelace_11", "bo": "Bo Ek_12", "cy": "Cy Young_13"}
    names = [f"Group 1-{name}_assignsubmission_file_/one_query.ipynb" for name in who.values()]
    assert "something else" not in course.does("collect", "team", "--from", zip_work(course, names))
    assert sorted(path.parent.name for path in (course.folder / "submitted").glob("*/team")) == ["ada"]
    course.does("grade")
    assert "pages of 3 learners" in course.does("feedback", "team", "--zip", "back.zip")
    with zipfile.ZipFile(course.folder / "back.zip") as archive:
        assert sorted(archive.namelist()) == sorted(
            f"Group 1-{name}_assignsubmission_file_/team-feedback.html" for name in who.values()
        )
    course.does("collect", "team", "--from", zip_work(course, names[::-1]))
    assert [path.parent.name for path in (course.folder / "submitted").glob("*/team")] == ["ada"]


@pytest.mark.parametrize("name", ["group1_555_777_one_query.ipynb", "Group 1/one_query.ipynb"])
def test_work_that_is_called_after_a_group_is_the_groups(course, name):
    output = course.does("collect", "team", "--from", zip_work(course, [name]))
    assert "not in the roster" not in output
    assert ("has the name of a group: it counts for ada" in output) == name.startswith("group1_"), (
        "learners choose a name on Canvas"
    )
    assert [path.parent.name for path in (course.folder / "submitted").glob("*/team")] == ["ada"]
    course.does("collect", "alone", "--from", zip_work(course, [name], "alone"))
    assert [path.parent.name for path in (course.folder / "submitted").glob("*/alone")] != ["ada"]


def test_groups_come_from_the_tables_of_moodle_and_canvas(built, tmp_path):
    course = built.copy_to(tmp_path / "other")
    (course.folder / "roster.csv").unlink()
    (course.folder / "canvas.csv").write_text(
        "name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id\n"
        "Ada Lovelace,7001,s1,ada,A,Lions,1,\nBo Ek,7002,s2,bo,A,Lions,1,\nCy Young,7003,s3,cy,A,,,\n"
    )
    course.does("roster", "canvas.csv")
    (course.folder / "moodle.csv").write_text(
        "Identifier,Full name,Email address,Status,Group,Grade\nParticipant 13,Cy Young,cy@example.org,,Bears,-\n"
    )
    course.does("roster", "moodle.csv")
    lines = {line.split()[0]: line for line in course.does("roster").splitlines()}
    assert "Lions" in lines["ada"] and "Lions" in lines["bo"] and "Bears" in lines["cy"]
    course.does("collect", "team", "--from", zip_work(course, ["anything_7002_1_one_query.ipynb"]))
    assert (course.folder / "submitted" / "bo" / "team").is_dir()
