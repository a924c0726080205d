"""``check(softmax)`` in a notebook of a course, where the kit is installed: the named mistake, and no points."""

import os
import re
from types import SimpleNamespace

import pytest
from IPython.utils.capture import capture_output

from autograder.classroom.release.notebooks import build_source_notebook
from autograder.judging.misconceptions import read_misconceptions
from autograder.study import magics
from support.ipython import fresh_shell

NAIVE = """\
import numpy as np

def softmax(scores):
    '''
    >>> softmax([0, 0]).tolist()
    [0.5, 0.5]
    '''
    e = np.exp(np.asarray(scores, dtype=float))
    return e / e.sum()
"""
MESSAGE = read_misconceptions("softmax")["no_maximum_subtracted"].sentence


@pytest.fixture(scope="module")
def machinery():
    (cell,) = (cell for cell in build_source_notebook("one_query").cells if "def check(exercise)" in cell.source)
    return cell.source


@pytest.fixture
def said(machinery, tmp_path, monkeypatch):
    """Yield a function that runs some code and then a check, and returns the printed text and the list of cards."""
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)

    def run(code, check="check(softmax)"):
        shell.run_cell(code, store_history=True)
        with capture_output() as shown:
            shell.run_cell(check, store_history=True)
        assert "Traceback" not in shown.stdout and "internal error" not in shown.stdout
        return shown.stdout.strip(), [output.data for output in shown.outputs]

    with fresh_shell(tmp_path) as shell:
        run.shell = shell
        shell.run_cell(machinery, store_history=True)
        yield run


def test_the_mistake_is_named(said):
    text, (card,) = said(NAIVE)
    assert text == "softmax is not right yet."
    assert "infinity divided by infinity is NaN" in card["text/html"] and "<table>" in card["text/html"]
    assert card["text/plain"].startswith(f"softmax: {MESSAGE}\n")
    assert not re.search(r"\d points", card["text/html"]), "a course may give others than the kit"


def test_a_correct_exercise_is_done(said):
    text, (card,) = said(NAIVE.replace("dtype=float)", "dtype=float) - np.max(scores)"))
    assert text == "" and "softmax: done." in card["text/html"] and card["text/plain"] == "softmax: done."


def test_a_stub_is_still_to_do(said):
    stub = "def softmax(scores):\n    raise NotImplementedError"
    assert said(stub) == ("softmax is still to do.", [])


def test_validate_gets_the_reason_and_a_kernel_that_inherits_its_variable_the_card(said, monkeypatch):
    monkeypatch.setitem(os.environ, "NBGRADER_EXECUTION", "validate")
    said.shell.kernel = SimpleNamespace(get_parent=lambda: {"content": {"allow_stdin": False}})
    text, cards = said(NAIVE)
    assert text.startswith(f"softmax: {MESSAGE}") and not cards
    said.shell.kernel.get_parent = lambda: {"content": {"allow_stdin": True}}
    text, cards = said(NAIVE)
    assert text == "softmax is not right yet." and len(cards) == 1


def test_an_unknown_exercise_is_checked_by_its_examples(said):
    own = NAIVE.replace("softmax", "softmax_of_my_teacher")
    assert said(own, "check(softmax_of_my_teacher)") == ("softmax_of_my_teacher: the examples pass.", [])


def test_if_the_kit_fails_the_examples_are_checked(said, monkeypatch):
    def fails(tasks):
        raise OSError("no disk")

    monkeypatch.setattr(magics, "judge_tasks", fails)
    lines = ["The kit cannot check softmax here: no disk. These are its examples alone.", "softmax: the examples pass."]
    assert said(NAIVE) == ("\n".join(lines), [])
