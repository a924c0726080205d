"""The message names an exercise that the answer defines inside something else, or not at all."""

import pytest

from support.grading import verdict_on

WRITTEN = "def softmax(x):\n    return x\n"


@pytest.mark.parametrize(
    ("source", "outcome", "told"),
    [
        ("x = 1\n", "unattempted", "answer.py does not define softmax."),
        (WRITTEN.replace("softmax", "soft_max"), "wrong", "answer.py defines soft_max: rename it to softmax."),
        (
            "def help(x):\n    def softmax(x):\n        return x\n    return x\n",
            "wrong",
            "`softmax` is defined in line 2, but inside another block: remove the indentation of that line.",
        ),
        (f"x = 1\n {WRITTEN}", "wrong", "`softmax` is defined in line 2, but inside"),
        (
            "    # as softmax does\n    return x\n",
            "raised",
            "and a cell raised IndentationError: unexpected indent (answer.py, line 2: return x)",
        ),
        (
            "x = (1\n",
            "unattempted",
            "answer.py does not define softmax, and a cell raised SyntaxError: '(' was never closed (answer.py, line 1",
        ),
    ],
    ids=["not there", "renamed", "in a function", "moved to the right", "its line is gone", "another cell is broken"],
)
def test_a_missing_name_gets_a_suggestion(source, outcome, told):
    verdict = verdict_on(source, "softmax")
    assert verdict.outcome == outcome
    assert told in verdict.message
