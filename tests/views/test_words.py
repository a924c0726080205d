"""The words of a verdict, in their order, for every view."""

import numpy as np

from autograder.judging.values.compare import Mismatch
from autograder.judging.verdict.finding import Explanation, Kind
from autograder.judging.verdict.verdict import ExerciseVerdict, TestVerdict
from autograder.views.card import to_card
from autograder.views.words import find_place, list_parts, sentences_of


def verdict(error=None, **parts):
    mismatch = Mismatch("values", "differs", np.array([0.25, 0.75]), np.array([0.5, 0.5]))
    tests = [TestVerdict("one", "wrong", 0, 3, "returned 0.25, expected 0.5.", "softmax([1, 1])", mismatch, error)]
    return ExerciseVerdict("one_query", "softmax", tests, **parts)


def test_the_mistake_precedes_its_evidence():
    results = verdict(explanation=Explanation(Kind.MISTAKE, "Use np.exp.", "What is e?"), printed="hello\n")
    assert [word.kind for word in list_parts(results)] == ["lesson", "call", "finding", "picture", "hint", "printed"]
    assert sentences_of(results) == ["Use np.exp.", "softmax([1, 1]) returned 0.25, expected 0.5.", "What is e?"]


def test_the_rule_is_shown_on_request():
    results = verdict(explanation=Explanation(Kind.MISTAKE, "It overflows.", "Try 1000.", "It should be finite."))
    assert "It should be finite." not in " ".join(sentences_of(results)) + results.message
    folded = to_card(results, ["First hint."])
    assert folded.index("Hint 1 of 3") < folded.index("Hint 2 of 3") < folded.index("It should be finite.")


def test_code_in_a_hint_is_rendered_as_code():
    folded = to_card(verdict(), ["As\ncomments:\n\n```python\n# a < b\n# c\n```"])
    assert "<p>As comments:</p><pre># a &lt; b\n# c</pre>" in folded


def test_unknown_parts_are_left_out():
    assert [word.kind for word in list_parts(verdict())] == ["call", "finding", "picture"]
    assert list_parts(ExerciseVerdict("one_query", "softmax", [TestVerdict("one", "passed", 3, 3)])) == []


def test_an_observation_is_shown_if_no_mistake_is_named():
    observation = Explanation(Kind.OBSERVATION, "It is half of what was expected.")
    assert sentences_of(verdict(explanation=observation))[0] == "It is half of what was expected."


def test_the_line_stays_in_the_exercise_that_is_checked():
    trail = [("answer.py", 3, "softmax", "return largest(x)"), ("answer.py", 5, "largest", "return attend(x)")]
    trail += [("answer.py", 9, "attend", "return help(x)"), ("answer.py", 12, "help", "return 1 / 0")]
    assert find_place(verdict({"type": "ZeroDivisionError", "where": trail})) == ("answer.py", 5), "attend may be right"
    assert find_place(verdict({"type": "ZeroDivisionError", "where": trail[2:]})) is None


def test_the_line_is_that_of_the_error():
    trail = [("answer.py", 3, "softmax", "return f(x)"), ("answer.py", 9, "f", "return 1 / 0")]
    assert tuple(find_place(verdict({"type": "ZeroDivisionError", "where": trail}))) == ("answer.py", 9)
    assert find_place(verdict()) is None
