"""Each hidden test names the sentences that it checks, and a learner can read every one of them.

A sentence is found in the exercise's docstrings, in the prose above or below it, or among the house rules of its
chapter and the chapters before.
"""

import functools
import importlib.util
import itertools
import re

import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import is_aside, read_chapter
from support.grading import EXERCISES

HOUSE_RULES = "**House rules**"


@functools.cache
def marks_of(exercise):
    spec = importlib.util.spec_from_file_location(f"suite_of_{exercise}", curriculum.suite_of(exercise))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tests = {name: test for name, test in vars(module).items() if name.startswith("test_")}
    return {name: next(mark for mark in test.pytestmark if mark.name == "points") for name, test in tests.items()}


def strip(text):
    return re.sub(r"[\s>]+", " ", text)


def house_rules(chapter):
    """Return the text of the block quotes with house rules in a chapter and the chapters before it."""
    chapters = curriculum.CHAPTERS[: curriculum.CHAPTERS.index(chapter) + 1]
    prose = "\n".join(cell.source for name in chapters for cell in read_chapter(name).cells)
    return strip("\n".join(quote for quote in re.findall(r"(?:^>.*\n?)+", prose, re.MULTILINE) if HOUSE_RULES in quote))


@functools.cache
def text_of(exercise):
    cells = read_chapter(EXERCISES[exercise].chapter).cells
    (place,) = (place for place, cell in enumerate(cells) if cell.options.get("exercise") == exercise)
    above = itertools.takewhile(lambda cell: "exercise" not in cell.options, reversed(cells[:place]))
    below = itertools.takewhile(lambda cell: cell.kind == "markdown" and not is_aside(cell), cells[place + 1 :])
    prose = [cell.source for cell in (*above, *below) if cell.kind == "markdown" and not is_aside(cell)]
    return strip("\n".join([*prose, EXERCISES[exercise].stub]))


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_hidden_test_names_a_sentence_of_the_exercise(exercise):
    can_be_read = text_of(exercise), house_rules(EXERCISES[exercise].chapter)
    assert marks_of(exercise)
    for name, mark in marks_of(exercise).items():
        sentences = mark.kwargs.get("checks", ())
        assert sentences, f"{exercise}: {name} names no sentence that it checks"
        for sentence in sentences:
            assert len(sentence) > 8, f"{exercise}: {sentence!r} says nothing"
            is_there = any(strip(sentence) in text for text in can_be_read)
            assert is_there, f"{exercise}: no text says {sentence!r} ({name})"
