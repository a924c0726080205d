"""A teacher's own course, graded by hand in Formgrader: points and comments are the same everywhere."""

import re
import zipfile

import pytest
from playwright.sync_api import expect

from support.browser import type_and_save
from support.own_course import new_own_course, write_moodles_files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("restore_kit_chapters"),
    pytest.mark.filterwarnings("ignore"),  # Importing nbgrader emits warnings.
]

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,week-3 (7)
    Points Possible,,,,,43
"Lovelace, Ada",5,,ada@example.org,A,
"Ek, Bo",6,,bo@example.org,A,
"""
COMMENT = "Well *said*; but what of `-inf`?"


def run(course, *words):
    output = course.does(*words)
    return " ".join(output.split())


def test_points_by_hand_agree_everywhere(tmp_path, open_lab):
    course = new_own_course(tmp_path / "course")
    write_moodles_files(course, "Because $e^{1000}$ overflows.")
    run(course, "roster", "ws.csv")
    run(course, "collect", "week-3", "--from", "moodle.zip", "--worksheet", "ws.csv")
    assert "week-3 2 0 0 19.0 43 0 1" in run(course, "grade")  # One written answer still waits for a person.

    with open_lab(course.folder) as page:
        lab = page.url.partition("/lab")[0]
        grade_by_hand(page, lab, find_submission(course, "ada"), {"why-question": "4", "softmax": "18.5"}, COMMENT)
        grade_by_hand(page, lab, find_submission(course, "bo"), {"attend": "2"}, "")
        shown = page.locator("section.attn").filter(has_text="attend").first.inner_text()
        assert "0 of 6 points." in shown  # Points given by a person do not change the card.

    message = run(course, "feedback", "week-3", "--zip", "back.zip")
    assert "still" not in message
    with zipfile.ZipFile(course.folder / "back.zip") as archive:
        ada, bo = (archive.read(name).decode() for name in sorted(archive.namelist()))
    ada, bo = (" ".join(re.sub("<[^>]*>", "", page).split()) for page in (ada, bo))
    assert "The whole assignment: 40.5 of 43 points." in ada and "Well said; but what of -inf?" in ada
    assert "18.5 of 20 points, given by a person. The tests alone give 20." in ada
    assert "still to be read" not in ada and "still to be read" not in bo
    assert "2 of 6 points, given by a person. The tests alone give 0." in bo

    assert "21.2 43 0 0" in run(course, "grade", "--all")  # Points by hand are kept, and no answer waits for a person.
    run(course, "report", "--csv", "report.csv")
    rows = (course.folder / "report.csv").read_text()
    assert "ada,Ada Lovelace,week-3,in time,40.5,43.0," in rows and "bo,Bo Ek,week-3,in time,2.0,43.0," in rows
    (course.folder / "canvas.csv").write_text(CANVAS)
    run(course, "export", "canvas", "--roster", "canvas.csv", "--to", "back.csv")
    assert [row.rpartition(",")[2] for row in (course.folder / "back.csv").read_text().splitlines()[2:]] == [
        "40.5",
        "2",
    ]
    assert "Ada Lovelace 40.5 Bo Ek 2 of 43" in run(course, "overview")


def find_submission(course, student):
    with course.kit.open_gradebook() as gradebook:
        return gradebook.find_submission_notebook("one_query", "week-3", student).id


def grade_by_hand(page, lab, place, points, comment):
    """Type points, and a comment on the written question, into Formgrader's page of a submission."""
    page.goto(f"{lab}/formgrader/submissions/{place}/", wait_until="networkidle")
    for kind in ("input.extra-credit", "textarea.comment"):  # A placeholder appears when the script is ready.
        expect(page.locator(kind).last).to_have_attribute("placeholder", re.compile("."))
    for name, number in points.items():
        field = page.locator(f"input#{name}")
        expect(field).to_be_visible()
        type_and_save(field, number)
    if comment:
        type_and_save(page.locator("textarea#why-question-comment"), comment)
