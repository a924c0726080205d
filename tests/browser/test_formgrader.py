"""A teacher in Formgrader: generate, release, collect, autograde, grade by hand, give feedback."""

import re
import shutil

import nbformat
import pytest
from playwright.sync_api import expect

from autograder.chapters import curriculum
from support.browser import type_and_save
from support.course import change, points_of, solved

pytestmark = pytest.mark.slow

COMMENT = "Nearly there: say it once more, with a sum."


def test_a_teacher_grades_an_assignment_with_formgraders_own_buttons(open_lab, course, learner, nbgrader):
    with open_lab(course) as page:
        page.get_by_role("menuitem", name="Nbgrader").click()
        page.get_by_role("menuitem", name="Formgrader").click()
        formgrader = page.frame_locator("iframe")
        assignment = formgrader.get_by_role("row", name="attention-basics")

        press(formgrader, assignment.locator(".assign"), "Successfully created the student version")
        press(formgrader, assignment.locator(".release"), "Successfully released")
        hand_in(course, learner, nbgrader)
        press(formgrader, assignment.locator(".collect"), "Successfully collected")

        assignment.locator(".num-submissions").get_by_role("link", name="1").click()
        submission = formgrader.get_by_role("row", name="None, None")
        expect(submission).to_contain_text("needs autograding")
        press(formgrader, submission.locator(".autograde"), "Successfully autograded")
        expect(submission).to_contain_text("graded")
        expect(submission.locator(".score")).to_have_text("31.5 / 35")

        formgrader.get_by_role("link", name="Manual Grading").click()
        for link in ("attention-basics", "one_query", "Submission #1"):
            formgrader.get_by_role("link", name=link).click()
        points = formgrader.locator("input#single_dot_attention_score")
        expect(points).to_have_attribute("placeholder", "0.5")
        type_and_save(points, "3")
        comment = formgrader.locator("textarea#single_dot_attention_score-answer-comment")
        expect(comment).to_have_attribute("placeholder", re.compile("Type any comments here"))
        type_and_save(comment, COMMENT)

        formgrader.get_by_role("link", name="Manual Grading").click()
        formgrader.get_by_role("link", name="Manage Assignments").click()
        press(formgrader, assignment.locator(".generate-feedback"), "Successfully generated feedback")

        (feedback,) = course.glob("feedback/*/attention-basics/one_query.html")
        page.goto(feedback.as_uri())
        shown, text = page.locator("body").inner_text(), page.content()
    assert "3 of 4 points, given by a person. The tests alone give 0.5." in shown
    assert "The result is the sum of the products of every number of one vector" in shown
    assert COMMENT in shown
    suites = "".join((curriculum.SUITES / f"test_{name}.py").read_text("utf-8") for name in points_of("one_query"))
    hidden = {line.strip() for line in suites.splitlines() if "def test_" in line or "answer(" in line}
    assert hidden
    assert not [line for line in hidden if line in text]


def press(formgrader, place, success):
    place.get_by_role("link").click()
    message = formgrader.locator(".modal-body")
    expect(message).to_contain_text(re.compile("Success|error"))
    expect(message).to_contain_text(success, timeout=1000)
    formgrader.get_by_role("button", name="OK").click()
    expect(message).to_have_count(0)


def hand_in(course, learner, nbgrader):
    shutil.copytree(course / "release" / "attention-basics", learner / "attention-basics")
    path = learner / "attention-basics" / "one_query.ipynb"
    notebook = solved(nbformat.read(path, as_version=4))
    change(
        notebook,
        "single_dot_attention_score",
        "return ",
        "return np.sum(dec_hidden_state) * np.sum(enc_hidden_state)  # ",
    )
    nbformat.write(notebook, path)
    nbgrader(learner, "submit", "attention-basics")
