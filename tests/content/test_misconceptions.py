"""Every misconception fails its suite and is named, and nothing else is named in its place."""

import collections

import pytest

from autograder.chapters import curriculum
from autograder.chapters.answers import script_answer
from autograder.chapters.chapter import read_chapter
from autograder.grading import drift
from autograder.judging.edits import mistaken
from autograder.judging.judge import Judge
from autograder.judging.misconceptions import parse_file, read_kinds, text_of
from autograder.judging.trusted import lesson_of, misconception_session
from support.grading import grade_answers

EXERCISES = [exercise for name in curriculum.CHAPTERS for exercise in read_chapter(name).exercises]
# With NumPy, with a picture and with classes one goes through as an answer too: the others run there no differently.
REMOTE = [read_chapter(name).exercises[-1] for name in ("all_queries", "embeddings", "qkv")]


def name_of(exercise):
    return exercise.name


@pytest.mark.parametrize("exercise", EXERCISES, ids=name_of)
def test_the_suite_knows_solution_stub_and_every_misconception(exercise):
    assert list(drift.judge_parts(exercise)) == []


@pytest.mark.parametrize("exercise", EXERCISES, ids=name_of)
def test_there_are_five_with_a_sentence_each(exercise):
    _, names = misconception_session(exercise)
    assert len(names) >= 5
    sentences = [lesson_of(exercise.name, name)[0] for name in names]
    assert len(set(sentences)) == len(names), "two misconceptions say the same"
    for sentence in sentences:
        assert len(sentence.split()) > 3
        assert sentence[0].isupper() or sentence[0] == "`"
        assert sentence.endswith(".")


@pytest.mark.parametrize("exercise", REMOTE, ids=name_of)
def test_a_real_worker_comes_to_the_same_verdicts(exercise):
    chapter = (curriculum.SOLUTIONS / f"{exercise.chapter}.py").read_text(encoding="utf-8")
    session, names = misconception_session(exercise)
    judge = Judge([exercise], drift.SECRET)
    answers = [script_answer(f"{name}.py", f"{chapter}\n\n# %%\n{mistaken(exercise, name)}\n") for name in names]
    found = grade_answers(answers, exercise.chapter, [exercise.name], secret=drift.SECRET)
    for name, remote in zip(names, found, strict=True):
        local, remote = judge.verdict(exercise, session.standing_in(name)), remote[exercise.name]
        assert remote.misconception == name
        assert [(t.name, t.outcome, t.points) for t in remote.tests] == [
            (t.name, t.outcome, t.points) for t in local.tests
        ]


def test_kinds_are_what_several_exercises_know():
    """Each is used more than once, and nobody writes its sentence out again."""
    used, known = collections.Counter(), read_kinds()
    for exercise in EXERCISES:
        own = {name: written for name, written, _ in parse_file(text_of(exercise.name))}
        used.update(name for name, written in own.items() if not written)
        assert not set(own.values()) & set(known.values()), exercise.name
    assert set(used) == set(known)
    assert min(used.values()) > 1
