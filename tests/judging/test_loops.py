"""What is hardly ever meant is told: a loop that ends in its first round, a result that is thrown away."""

from types import SimpleNamespace

import pytest

from autograder.chapters.answers import script_answer
from autograder.chapters.chapter import read_chapter
from autograder.judging.budget import Budget
from autograder.judging.explain.case import Running
from autograder.judging.explain.early_exit import find_early_exit
from autograder.judging.explain.slip import find_slip
from autograder.judging.verdict.verdict import ExerciseVerdict, TestVerdict
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
    session = SimpleNamespace(file=answer)
    explanation = find_early_exit(Running(exercise, ExerciseVerdict("one_query", exercise.name, []), Budget(), session))
    assert (explanation and explanation.sentence) == (left and TOLD.format(*left))


def test_it_is_told_of_the_answer_that_has_it_and_not_of_another_with_the_same_results():
    for body, relation in (
        ("        score += a * b\n        return score", TOLD.format("return", 5)),
        ("        score += a * b\n    return state[0] * annotation[0]", ""),
    ):
        verdict = grade_source(SCORE.format(body), only=["single_dot_attention_score"])["single_dot_attention_score"]
        assert (verdict.misconception, verdict.relation) == (None, relation)


@pytest.mark.parametrize(
    ("lines", "slip"),
    [
        (["annotation.astype(float)", "return state @ annotation"], "What `astype` returns is thrown away: it changes"),
        (["np.exp(state, out=state)", "return state @ annotation"], ""),
        (["rows = [[0] * 2] * 2", "rows[0][1] = state @ annotation", "return rows[0][1]"], "One and the same row"),
        (["rows = [[0] * 2] * 2", "return state @ annotation"], ""),
        (
            ["return state @ state"],
            "`single_dot_attention_score` never reads its argument `annotation` (answer.py",
        ),
    ],
)
def test_slips(lines, slip):
    source = "\n    ".join(["def single_dot_attention_score(state, annotation):", *lines])
    exercise = read_chapter("one_query").exercise("single_dot_attention_score")
    verdict = ExerciseVerdict(exercise.chapter, exercise.name, [TestVerdict("example", "wrong", 0, 1)])
    session = SimpleNamespace(file=script_answer("answer.py", source))
    explanation = find_slip(Running(exercise, verdict, Budget(), session))
    assert explanation.sentence.startswith(slip) if slip else explanation is None
