"""The first cell of a notebook prints nothing if the kit is installed, otherwise a sentence."""

import json
import subprocess
import sys

import nbformat
import pytest
from IPython.utils.capture import capture_output

from autograder.boundary.sandbox import GIVEN
from autograder.boundary.session import Session
from autograder.chapters.answers import Task, parse_notebook, parse_script
from autograder.chapters.chapter import read_chapter
from autograder.chapters.curriculum import CHAPTERS
from autograder.chapters.stubs import FIRST_CELL, make_stub, make_stub_notebook
from autograder.worker.reading.cells import read_cells
from support.ipython import fresh_shell

ONE = read_chapter("one_query")


class KitHidingFinder:
    """An import finder that makes imports of the kit fail."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "attn":
            raise ModuleNotFoundError(f"No module named {name!r}")


@pytest.fixture
def without_kit(monkeypatch):
    monkeypatch.delitem(sys.modules, "attn", raising=False)
    monkeypatch.setattr(sys, "meta_path", [KitHidingFinder, *sys.meta_path])


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    with fresh_shell(tmp_path) as shell:
        yield shell


def run(shell, code):
    with capture_output() as shown:
        result = shell.run_cell(code, store_history=True)
    assert not shown.outputs
    return result.success, shown.stdout + shown.stderr


def test_the_first_cell_loads_an_installed_kit_silently(shell):
    assert run(shell, FIRST_CELL) == (True, "")
    assert {"check", "predict", "figure"} <= set(shell.magics_manager.magics["line"])


def test_a_notebook_without_the_repository_finds_the_given_package(shell, monkeypatch):
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(GIVEN.parent)])
    for name in [name for name in sys.modules if name.partition(".")[0] == GIVEN.name]:
        monkeypatch.delitem(sys.modules, name)
    run(shell, FIRST_CELL)
    assert run(shell, "from given.drawing import canvas") == (True, "")


def test_without_the_kit_the_first_cell_prints_a_sentence_and_downloads_nothing(shell, without_kit, monkeypatch):
    """The kit's name is not taken on PyPI: anybody who registered it could run code on every learner's machine."""
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("something was started"))
    done, message = run(shell, FIRST_CELL)
    assert done and message.startswith("%check is not installed here.") and "Traceback" not in message
    assert "attention-exercises" not in FIRST_CELL


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_begins_with_the_first_cell_and_scripts_do_not_run_it(chapter):
    text = make_stub(read_chapter(chapter))
    first = next(cell for cell in read_cells(text) if cell.kind != "markdown")
    assert (first.kind, first.source) == ("picture", FIRST_CELL)
    assert not [cell for cell in parse_script(f"{chapter}.py", text).cells if "load_ext" in cell.source]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_books_notebook_of_a_chapter_is_its_script(chapter):
    read = read_chapter(chapter)
    notebook, cells = json.loads(make_stub_notebook(read)), read_cells(make_stub(read))
    expected = [("markdown" if cell.kind == "markdown" else "code", cell.source) for cell in cells]
    assert [(each["cell_type"], each["source"]) for each in notebook["cells"]] == expected
    answer = parse_notebook(f"{chapter}.ipynb", notebook)
    assert all(answer.is_untouched(exercise) for exercise in read_chapter(chapter).exercises)


def test_a_chapters_notebook_is_valid():
    nbformat.validate(nbformat.reads(make_stub_notebook(ONE), as_version=4))


def test_the_first_cell_does_nothing_when_graded():
    cells = [FIRST_CELL, "%check softmax", "def softmax(scores):\n    return 'mine'"]
    notebook = {"nbformat": 4, "cells": [{"cell_type": "code", "metadata": {}, "source": each} for each in cells]}
    session = Session(Task(parse_notebook("one_query.ipynb", notebook), ONE, ()))
    try:
        session.load()
        assert not any(session.loaded["errors"])
        assert not any(text for _, text in session.pop_output())
    finally:
        session.close()
