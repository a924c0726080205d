"""An argument that nobody reads is told of the answer whose text shows it."""

import pytest

from support.grading import grade_source

NAME = "single_dot_attention_score"
NEVER_READ = f"`{NAME}` never reads its argument `annotation` (answer.py, line 1)."


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return 0.25", NEVER_READ),  # the second has the same replies
        ("return 0.25 if annotation is not None else 0", ""),
        ("return 0.25 + (lambda: 0 * annotation)()[0]", ""),
    ],
)
def test_it_is_told_of_the_answer_that_has_it_and_not_of_another_with_the_same_results(body, told):
    verdict = grade_source(f"def {NAME}(state, annotation):\n    state = state\n    {body}\n", only=[NAME])[NAME]
    assert verdict.misconception is None
    assert verdict.relation.endswith(told) if told else "never reads" not in verdict.relation
