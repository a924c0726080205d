"""Banned functions are found however they are imported. Unreachable code and an answer's functions are accepted."""

from pathlib import Path

import pytest

from autograder.chapters.answers import parse_notebook, parse_script
from autograder.chapters.chapter import Exercise
from autograder.judging.misconceptions import read_sections
from autograder.worker.reading import shortcuts

EXERCISES = {
    "attention": Exercise(
        "attend", "", ("MultiheadAttention", "scaled_dot_product_attention"), chapter="qkv", points=1
    ),
    # Answers to this exercise compute a gradient with autograd, which they reach by other names.
    "autograd": Exercise("attend", "", ("autograd",), chapter="backward", points=1),
}
FILE = Path(__file__).with_name("shortcuts.md")
ANSWERS = {section.name: section for section in read_sections(FILE.read_text(), FILE.name, ("found", "fine"))}


def labelled(label):
    rows = [(section, bans) for section in ANSWERS.values() for own, bans in section.parts if own == label]
    return [pytest.param(section.code, EXERCISES[bans], id=section.name) for section, bans in rows]


@pytest.mark.parametrize(("text", "exercise"), labelled("found"))
def test_a_shortcut_is_found(text, exercise):
    shortcut = parse_script("a.py", text).find_shortcut(exercise)
    assert shortcut is not None
    line = text.splitlines()[int(shortcut[1].removeprefix("line ")) - 1]
    assert any(word in line for word in ("ttention", "Transformer", "attend(", "sdpa"))


@pytest.mark.parametrize(("text", "exercise"), labelled("fine"))
def test_similar_names_are_not_shortcuts(text, exercise):
    assert parse_script("a.py", text).find_shortcut(exercise) is None


def test_a_notebook_is_read_cell_by_cell():
    sources = ["import torch.nn.functional as F", "%broken(", ANSWERS["module_alias"].code]
    cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    shortcut = parse_notebook("a.ipynb", {"cells": cells}).find_shortcut(EXERCISES["attention"])
    assert shortcut == ("torch.nn.functional.scaled_dot_product_attention", "cell 3, line 5")


def test_without_a_ban_no_shortcut_is_found():
    exercise = Exercise("attend", "", chapter="qkv", points=1)
    assert parse_script("a.py", ANSWERS["full_path"].code).find_shortcut(exercise) is None


@pytest.mark.parametrize(
    "line",
    ["b{n} = b{before}.x", "b{n} = torch{long}", "def b{n}(): return b{before}()", "b{n} = b{n} = b{before} + 1"],
)
def test_long_chains_of_names_are_followed_once(line, monkeypatch):
    """Following a long chain of names once took cubic time."""
    steps = {}
    found_path = shortcuts._ReachableCode._resolve_new_path
    for length in (300, 600):

        def counted(self, node, length=length):
            steps[length] = steps.get(length, 0) + 1
            return found_path(self, node)

        monkeypatch.setattr(shortcuts._ReachableCode, "_resolve_new_path", counted)
        lines = [line.format(n=n, before=n - 1, long=".a" * 40) for n in range(1, length)]
        text = "\n".join(["import torch", "b0 = torch", *lines, f"def attend(q):\n    return b{length - 1}(q)"])
        assert parse_script("a.py", text).find_shortcut(EXERCISES["attention"]) is None
    assert steps[600] <= 2.2 * steps[300]
    assert steps[600] < 100 * 600
