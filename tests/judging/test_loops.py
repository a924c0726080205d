"""A loop that ends in its first round is told, where no mistake is named."""

from types import SimpleNamespace

import pytest

from autograder.chapters.answers import script_answer
from autograder.chapters.chapter import read_chapter
from autograder.judging.ask.evidence import Evidence
from autograder.judging.explain.early_exit import find_early_exit
from support.grading import grade_source

SCORE = (
    "def single_dot_attention_score(state, annotation):\n    score = 0.0\n    for a, b in zip(state, annotation):\n{}"
)

TOLD = "The `{}` (answer.py, line {}) stands inside a loop, and ends it in its first round."


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("        score += a * b\n        return score", ("return", 5)),
        ("        score += a * b\n        break\n    return score", ("break", 5)),
        ("        score += a * b\n    return score", None),
        ("        if a == 0:\n            continue\n        return a * b", None),
        ("        if a == 0:\n            return 0\n        score += a * b\n    return score", None),
        ("        yield a * b\n        return", None),
    ],
)
def test_what_leaves_a_loop_in_its_first_round(body, left):
    answer = script_answer("answer.py", SCORE.format(body))
    exercise = read_chapter("one_query").exercise("single_dot_attention_score")
    explanation = find_early_exit(Evidence(exercise, session=SimpleNamespace(file=answer)))
    assert (explanation and explanation.sentence) == (left and TOLD.format(*left))


def test_it_is_told_of_the_answer_that_has_it_and_not_of_another_with_the_same_results():
    for body, relation in (
        ("        score += a * b\n        return score", TOLD.format("return", 5)),
        ("        score += a * b\n    return state[0] * annotation[0]", ""),
    ):
        verdict = grade_source(SCORE.format(body), only=["single_dot_attention_score"])["single_dot_attention_score"]
        assert (verdict.misconception, verdict.relation) == (None, relation)
