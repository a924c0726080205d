"""Slips are named: a loop that ends in its first iteration, or a value that is discarded."""

from types import SimpleNamespace

import pytest

from autograder.chapters.answers import parse_script
from autograder.chapters.chapter import read_chapter
from autograder.judging.budget import Budget
from autograder.judging.explain.case import CaseWithSession
from autograder.judging.explain.pipeline import find_slip
from autograder.judging.verdict.verdict import ExerciseVerdict, TestVerdict
from support.grading import grade_source

HEAD = "def single_dot_attention_score(state, annotation):\n"
LOOP = "    score = 0.0\n    for a, b in zip(state, annotation):\n        "
TOLD = "The `{}` is inside the loop, so the loop ends in its first round (answer.py, line {})."


@pytest.mark.parametrize(
    ("body", "slip"),
    [
        (LOOP + "score += a * b\n        return score", TOLD.format("return", 5)),
        (LOOP + "score += a * b\n        break\n    return score", TOLD.format("break", 5)),
        (LOOP + "score += a * b\n    return score", ""),
        (LOOP + "if a == 0:\n            continue\n        return a * b", ""),
        (LOOP + "if a == 0:\n            return 0\n        score += a * b\n    return score", ""),
        (LOOP + "yield a * b\n        return", ""),
        (
            "    annotation.astype(float)\n    return state @ annotation",
            "This line discards the result of `astype`, which changes nothing in place (answer.py, line 2).",
        ),
        (
            "    annotation - annotation.max()\n    return state @ annotation",
            "This line computes a value and discards it (answer.py, line 2). Did you mean to assign it?",
        ),
        ('    """A docstring."""\n    annotation.sort()\n    return state @ annotation', ""),
        ("    import numpy as np\n    np.exp(state, out=state)\n    return state @ annotation", ""),
        ("    return state @ state", "`single_dot_attention_score` never reads its argument `annotation` (answer.py"),
    ],
)
def test_a_likely_bug_in_a_loop_is_found(body, slip):
    exercise = read_chapter("one_query").get_exercise("single_dot_attention_score")
    verdict = ExerciseVerdict(exercise.chapter, exercise.name, [TestVerdict("example", "wrong", 0, 1)])
    session = SimpleNamespace(file=parse_script("answer.py", HEAD + body))
    explanation = find_slip(CaseWithSession(exercise, verdict, Budget(), session))
    assert explanation.sentence.startswith(slip) if slip else explanation is None


def test_a_likely_bug_is_reported_only_for_the_answer_that_has_it():
    for body, relation in (
        ("score += a * b\n        return score", TOLD.format("return", 5)),
        ("score += a * b\n    return state[0] * annotation[0]", ""),
    ):
        verdicts = grade_source(HEAD + LOOP + body, only=["single_dot_attention_score"])
        verdict = verdicts["single_dot_attention_score"]
        assert (verdict.misconception, verdict.relation) == (None, relation)
