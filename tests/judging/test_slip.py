"""An argument that nobody reads, and a result that is thrown away, are told of the answer whose text shows it."""

import pytest

from support.grading import grade_source

NAME = "single_dot_attention_score"
NEVER_READ = f"`{NAME}` never reads its argument `annotation` (answer.py, line 3)."

THROWN_AWAY = "What `abs` returns is thrown away: it changes nothing in place (answer.py, line 5)."


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return 0.25", NEVER_READ),  # the second has the same replies
        (
            "np.abs(annotation)\n    return 0.25",
            "What `abs` returns is thrown away: it changes nothing in place (answer.py, line 5).",
        ),
        ("np.exp(state, out=np.array(annotation))\n    return 0.25", ""),
        ("return 0.25 if annotation is not None else 0", ""),
        ("return 0.25 + (lambda: 0 * annotation)()[0]", ""),
    ],
)
def test_it_is_told_of_the_answer_that_has_it_and_not_of_another_with_the_same_results(body, told):
    source = f"import numpy as np\n\ndef {NAME}(state, annotation):\n    state = np.asarray(state)\n    {body}\n"
    verdict = grade_source(source, only=[NAME])[NAME]
    assert verdict.misconception is None
    assert verdict.relation.endswith(told) if told else "(answer.py" not in verdict.relation
