"""A learner in JupyterLab: fetch, answer, check, validate, submit."""

import re
import sys

import nbformat
import pytest
from playwright.sync_api import expect

from support.course import cell_of, new
from support.notebooks import cell, run, type_instead

pytestmark = pytest.mark.slow

WRONG = "return np.sum(dec_hidden_state) * np.sum(enc_hidden_state)"
PLAN = '[assignments.attention-basics]\nchapters = ["one_query"]\n'
RIGHT = "return np.dot(dec_hidden_state, enc_hidden_state)"


def test_a_learner_fetches_answers_checks_validates_and_submits(open_lab, learner, tmp_path):
    new(tmp_path / "course", PLAN).open_exchange(tmp_path / "exchange", "attention-basics")
    with open_lab(learner, sys.executable, "-m", "jupyterlab", "--allow-root") as page:
        fetch(page)
        notebook = page.locator(".jp-NotebookPanel")
        expect(notebook.get_by_role("heading", name="One query")).to_be_visible()
        expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()
        answer = cell(notebook, "def single_dot_attention_score(")
        check = cell(notebook, "check(single_dot_attention_score)")

        answer.get_by_text("raise NotImplementedError").click()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Above Selected Cell").click()
        run(page, answer, check)
        message = check.locator(".jp-OutputArea-output")
        expect(message).to_have_text(re.compile("single_dot_attention_score is still to do."))

        type_instead(page, answer, "raise NotImplementedError", WRONG)
        run(page, answer, check)
        expect(message.get_by_text("✗ single_dot_attention_score: wrong.")).to_be_visible()
        expect(message.last).to_have_text("single_dot_attention_score is not right yet.")

        type_instead(page, answer, WRONG, RIGHT)
        run(page, answer, check)
        expect(message.get_by_text("✓ single_dot_attention_score: done.")).to_be_visible()
        expect(message).to_have_count(1)

        notebook.get_by_role("button", name="Validate").click()
        report = page.get_by_role("dialog")
        expect(report).to_contain_text("softmax is still to do.")
        expect(report).to_contain_text("check(attend)")
        expect(report).not_to_contain_text("check(single_dot_attention_score)")
        report.get_by_role("button", name="OK").click()

        submit(page)
    (handed_in,) = (tmp_path / "exchange/attention/inbound").glob("*+attention-basics+*/one_query.ipynb")
    answer = cell_of(nbformat.read(handed_in, as_version=4), "single_dot_attention_score-answer")
    assert RIGHT in answer.source


def fetch(page):
    page.get_by_role("menuitem", name="Nbgrader").click()
    page.get_by_role("menuitem", name="Assignment List").click()
    page.get_by_role("button", name="Fetch", exact=True).click()
    fetched = page.locator("#fetched_assignments_list")
    fetched.get_by_role("button", name="attention-basics").click()
    fetched.get_by_role("link", name="one_query").click()


def submit(page):
    page.get_by_role("tab", name="Assignments").click()
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#submitted_assignments_list")).to_contain_text("attention-basics")
