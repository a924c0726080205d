"""``%figure`` in JupyterLab: the figure that a chapter names moves in its notebook."""

import pytest
from playwright.sync_api import expect

from autograder.chapters import curriculum
from support.notebooks import cell, run

pytestmark = pytest.mark.slow


def test_a_figure_moves_in_a_notebook(open_lab, tmp_path):
    folder = tmp_path / "exercises"
    folder.mkdir()
    header = (curriculum.EXERCISES / "one_query.py").read_text("utf-8").partition("# %%")[0]
    cells = ["# %load_ext attn", "# %figure softmax", "# %figure rope"]
    (folder / "one_query.py").write_text(header + "".join(f"# %%\n{each}\n\n" for each in cells), encoding="utf-8")
    with open_lab(folder) as page:
        page.locator(".jp-DirListing-item", has_text="one_query.py").dblclick()
        notebook = page.locator(".jp-NotebookPanel")
        expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()  # else what is run is lost
        run(page, *(cell(notebook, each.removeprefix("# ")) for each in cells))
        softmax, rope = (notebook.locator(f"[data-figure={name}][data-ready]") for name in ("softmax", "rope"))
        softmax.get_by_role("button", name="+100 to all").click()
        expect(softmax.locator(".said")).to_contain_text("no weight has moved")
        before = rope.locator("line.query").get_attribute("x2")
        rope.get_by_role("button", name="shift both on").click()
        expect(rope.locator("line.query")).not_to_have_attribute("x2", before)
        page.screenshot(path=tmp_path / "figures.png")
