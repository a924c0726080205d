"""Of two known mistakes in one answer no other pair is told than the one that was made."""

import itertools
import re

import pytest

from autograder.chapters import curriculum
from autograder.chapters.answers import script_answer
from autograder.chapters.chapter import read_chapter
from autograder.judging.mistakes.misconceptions import StaleEdit, apply_edits, read_misconceptions
from support.grading import grade_answers

pytestmark = pytest.mark.slow

MAX_PAIRS = 40  # that are judged of each exercise, evenly chosen
TOLD = re.compile(
    r"Two mistakes together give this result: \(1\) (.+) \(2\) (.+?\.)(?: Your code changes its argument `\w+`.*)?$"
)
# Divided by the width, where the weights were not: that is what dividing by its root twice comes to.
ALIKE = {("scale_forgotten_forward", "divided_by_the_width")}


def pairs_of(exercise):
    """Yield (names of two mistakes, the chapter's solutions with both) if both fit into one text."""
    source = curriculum.solution_of(exercise.chapter).read_text(encoding="utf-8")
    mistakes = [mistake for mistake in read_misconceptions(exercise.name).values() if mistake.edits]
    for one, other in itertools.combinations(mistakes, 2):
        try:
            both = apply_edits(exercise.solution, {**one.edits, **other.edits})
        except StaleEdit:
            continue
        yield (one, other), script_answer("pair.py", source.replace(exercise.source, both))


@pytest.mark.parametrize(
    ("chapter", "name"),
    [("one_query", "softmax"), ("one_query", "calculate_attention_vector"), ("backward", "attention_backward")],
)
def test_the_sentences_are_those_of_the_pair(chapter, name):
    exercise = read_chapter(chapter).exercise(name)
    made = list(pairs_of(exercise))
    made = made[:: len(made) // MAX_PAIRS + 1]
    found = grade_answers([answer for _, answer in made], chapter, (name,))
    for (pair, _), verdicts in zip(made, found, strict=True):
        told = TOLD.search(verdicts[name].relation)
        if told and tuple(mistake.name for mistake in pair) not in ALIKE:
            assert all(any(words.startswith(sentence) for words in sentences_of(pair)) for sentence in told.groups())


def sentences_of(pair):
    return [mistake.sentence_alone for mistake in pair]
