"""``%check`` and ``%figure`` in JupyterLab: a chapter opened as a notebook, an answer typed, its verdict, a figure."""

import re
import time

import pytest
from playwright.sync_api import expect

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.study.folder import Folder
from support.notebooks import cell, run, type_instead

pytestmark = pytest.mark.slow

PATIENCE = 60
STUB = "raise NotImplementedError"
RIGHT = "return np.exp(scores - np.max(scores)) / np.sum(np.exp(scores - np.max(scores)))"


def test_an_answer_is_checked_and_a_figure_moves_in_a_notebook(open_lab, tmp_path):
    folder = tmp_path / "exercises"
    folder.mkdir()
    stub = read_chapter("one_query").get_exercise("softmax").stub
    cells = ["import numpy as np", stub, "# %load_ext attn", "# %check softmax"]
    figures = ["%figure softmax", "%figure rope"]
    cells += [f"# {each}" for each in figures]
    header = (curriculum.EXERCISES / "one_query.py").read_text("utf-8").partition("# %%")[0]
    (folder / "one_query.py").write_text(header + "".join(f"# %%\n{each}\n\n" for each in cells), encoding="utf-8")
    with open_lab(folder) as page:
        page.locator(".jp-DirListing-item", has_text="one_query.py").dblclick()
        notebook = page.locator(".jp-NotebookPanel")
        expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()  # Otherwise, executed cells are lost.
        answer, check = cell(notebook, "def softmax("), cell(notebook, "%check softmax")
        message = check.locator(".jp-OutputArea-output")

        type_instead(page, answer, STUB, RIGHT)  # The file is not saved.
        run(page, cell(notebook, "import numpy"), answer, cell(notebook, "%load_ext"), check)
        expect(message.get_by_text(re.compile("softmax: done"))).to_be_visible()

        page.keyboard.press("Control+s")
        deadline = time.monotonic() + PATIENCE
        while Folder(folder).read_states()["softmax"] != "done":
            assert time.monotonic() < deadline, "the script does not hold what passed"
            page.wait_for_timeout(200)

        run(page, *(cell(notebook, each) for each in figures))
        softmax, rope = (notebook.locator(f"[data-figure={name}][data-ready]") for name in ("softmax", "rope"))
        softmax.get_by_label("subtract the largest first").check()
        softmax.get_by_role("button", name="+100 to all").click()
        expect(softmax.locator(".said")).to_contain_text("no weight has moved")
        before = rope.locator("line.query").first.get_attribute("x2")
        rope.get_by_role("button", name="shift both on").click()
        expect(rope.locator("line.query").first).not_to_have_attribute("x2", before)
