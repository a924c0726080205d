"""An answer with a known misconception fails the suite, and the verdict names this misconception."""

import collections

import numpy as np
import pytest

from autograder.grading import drift
from autograder.judging.grader import Grader
from autograder.judging.misconceptions import (
    KINDS_FILE,
    LABELS,
    read_lesson,
    read_sections,
    read_text_of,
)
from autograder.judging.run.kit_code import open_misconception_session
from autograder.worker.values import Tensor, TextFile
from support.grading import EXERCISES, SECRET


@pytest.mark.slow
@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_the_suite_knows_solution_stub_and_every_misconception(exercise, monkeypatch):
    monkeypatch.setattr(drift, "SECRET", SECRET)  # With this secret, tests of labelled answers have cached most calls.
    assert list(drift.check_by_judging(exercise)) == []


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_an_exercise_has_five_known_mistakes(exercise):
    _, names = open_misconception_session(exercise)
    assert len(names) >= 5, (
        f"autograder/misconceptions/{exercise.name}.md has {len(names)} of the five mistakes it needs"
    )
    sentences = [read_lesson(exercise.name, name)[0] for name in names]
    assert len(set(sentences)) == len(names), "two misconceptions say the same"
    for sentence in sentences:
        assert len(sentence.split()) > 3
        assert sentence[0].isupper() or sentence[0] == "`"
        assert sentence.endswith(".")


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_every_argument_has_two_sizes(exercise):
    sizes = collections.defaultdict(set)
    for step in Grader.for_chapter(exercise.chapter, SECRET).judge.suites.get_batch(exercise).steps:
        if step.kind in ("call", "gradients"):
            for place, value in enumerate(step.rest[0]):
                sizes[step.subject is None, step.method, place].add(_size(value))
    sizes = {place: found for place, found in sizes.items() if found != {None}}
    assert sizes and min(map(len, sizes.values())) >= 2, exercise.name


def _size(value):
    """Return an array's or list's shape, a text's length, a file's number of lines, an integer itself, or None."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        return len(value)
    if isinstance(value, TextFile):
        return value.text.count("\n")
    array = value.array if isinstance(value, Tensor) else value
    if isinstance(array, np.ndarray):
        return array.shape
    if isinstance(value, tuple) and any(isinstance(each, Tensor) for each in value):
        return tuple(map(_size, value))
    if isinstance(value, (list, tuple)):
        inner = {_size(each) for each in value if isinstance(each, (list, tuple))}
        return (len(value), *inner.pop()) if len(inner) == 1 else (len(value),)
    return None


def test_kinds_are_shared_by_several_exercises():
    used, known = collections.Counter(), read_sections(read_text_of(KINDS_FILE), KINDS_FILE, LABELS)
    for exercise in EXERCISES.values():
        own = read_sections(read_text_of(exercise.name), exercise.name, LABELS)
        used.update(section.name for section in own if not section.parts)
        assert not [section.name for section in own if section.parts in [kind.parts for kind in known]], exercise.name
    assert set(used) == {kind.name for kind in known}
    assert min(used.values()) > 1
