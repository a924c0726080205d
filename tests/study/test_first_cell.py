"""The cell that a notebook begins with: silent where the kit is, a sentence where it cannot be had."""

import json
import sys

import nbformat
import pytest
from IPython.utils.capture import capture_output

from autograder.boundary.sandbox import GIVEN
from autograder.boundary.session import Session
from autograder.chapters.answers import notebook_answer, script_answer
from autograder.chapters.chapter import read_chapter
from autograder.chapters.curriculum import CHAPTERS
from autograder.chapters.first_cell import first_cell
from autograder.chapters.notebook import stub_notebook
from autograder.chapters.stubs import stub_script
from autograder.worker.reading.cells import read_cells
from support.ipython import fresh_shell

ONE, TORCH = read_chapter("one_query"), read_chapter("qkv")
NOWHERE = first_cell(ONE).replace("attention-exercises", "attention-exercises-that-nobody-has")
SENTENCE = "%check is not installed here. Restart the kernel and run this cell again, or go on without it."


class Hidden:
    """Stands before all that finds modules: there is no kit."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "attn":
            raise ModuleNotFoundError(f"No module named {name!r}")


@pytest.fixture
def without_kit(monkeypatch):
    monkeypatch.delitem(sys.modules, "attn", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Hidden, *sys.meta_path])


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # as without a network
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setattr(sys, "path", list(sys.path))
    with fresh_shell(tmp_path) as shell:
        yield shell


def run(shell, code):
    with capture_output() as shown:
        result = shell.run_cell(code, store_history=True)
    assert not shown.outputs
    return result.success, shown.stdout + shown.stderr


def test_where_the_kit_is_it_loads_it_and_says_nothing(shell):
    assert run(shell, first_cell(ONE)) == (True, "")
    assert {"check", "predict", "figure"} <= set(shell.magics_manager.magics["line"])


def test_a_notebook_alone_finds_what_chapters_draw_with(shell, monkeypatch):
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(GIVEN.parent)])
    for name in [name for name in sys.modules if name.partition(".")[0] == GIVEN.name]:
        monkeypatch.delitem(sys.modules, name)
    run(shell, first_cell(ONE))
    assert run(shell, "from given.drawing import canvas") == (True, "")


def test_where_it_cannot_be_fetched_there_is_a_sentence(shell, without_kit):
    done, said = run(shell, NOWHERE)
    assert done and SENTENCE in said and "Traceback" not in said
    assert "No matching distribution found" in said, "pip's own reason"


def test_a_grader_installs_nothing(shell, without_kit, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    before = list(sys.path)
    assert run(shell, NOWHERE) == (True, f"{SENTENCE}\n")
    assert sys.path == before


def test_it_brings_what_the_chapter_needs():
    assert '"attention-exercises"' in first_cell(ONE)
    assert '"attention-exercises[torch]"' in first_cell(TORCH)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_begins_with_it_and_a_script_does_not_run_it(chapter):
    text = stub_script(read_chapter(chapter))
    first = next(cell for cell in read_cells(text) if cell.kind != "markdown")
    assert (first.kind, first.source) == ("picture", first_cell(read_chapter(chapter)))
    assert not [cell for cell in script_answer(f"{chapter}.py", text).cells if "load_ext" in cell.source]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_books_notebook_of_a_chapter_is_its_script(chapter):
    notebook, cells = json.loads(stub_notebook(read_chapter(chapter))), read_cells(stub_script(read_chapter(chapter)))
    expected = [("markdown" if cell.kind == "markdown" else "code", cell.source) for cell in cells]
    assert [(each["cell_type"], each["source"]) for each in notebook["cells"]] == expected
    answer = notebook_answer(f"{chapter}.ipynb", notebook)
    assert all(answer.is_untouched(exercise) for exercise in read_chapter(chapter).exercises)


def test_it_is_a_notebook_as_jupyter_knows_it():
    nbformat.validate(nbformat.reads(stub_notebook(ONE), as_version=4))


@pytest.mark.parametrize("has_ipython", [True, False])
def test_in_a_notebook_that_is_graded_it_does_nothing(has_ipython, monkeypatch):
    """It is read on a light install as well, and runs nothing."""
    if not has_ipython:
        monkeypatch.setitem(sys.modules, "IPython.core.inputtransformer2", None)
    cells = [first_cell(ONE), "%check softmax", "def softmax(scores):\n    return 'mine'"]
    notebook = {"nbformat": 4, "cells": [{"cell_type": "code", "metadata": {}, "source": each} for each in cells]}
    session = Session(notebook_answer("one_query.ipynb", notebook), ONE)
    try:
        session.load()
        assert not any(session.loaded["errors"])
        assert session.take_printed() == ""
    finally:
        session.close()
