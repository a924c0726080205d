"""Sentences for learners contain the expected value, and long numbers are shortened."""

from dataclasses import replace

import numpy as np
import pytest

from autograder.boundary.session import make_refusal
from autograder.chapters.chapter import read_chapter
from autograder.chapters.text import shorten
from autograder.judging.ask.call import Call
from autograder.judging.explain.failure import explain_error
from autograder.judging.values.show import format_call_briefly, format_call_in_short, format_pair, format_value
from autograder.judging.verdict.finding import Explanation, Kind, SuggestedChange
from autograder.judging.verdict.verdict import ExerciseVerdict, TestVerdict
from autograder.suite.modules import tensor
from support.grading import verdict_on, write_answer

MODULE = """
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        {}
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        return queries * 3, queries
"""


@pytest.mark.parametrize("raised", ["assert d_model % num_heads == 0", "raise KeyError(d_model % num_heads)"])
def test_the_expected_error_is_named_if_another_was_raised(raised):
    source = MODULE.format(raised if "assert" in raised else f"if d_model % num_heads: {raised}")
    tests = verdict_on(source, "MultiHeadAttention").tests
    message = next(test.message for test in tests if test.name == "heads_that_do_not_divide")
    assert message.startswith("MultiHeadAttention(4, 3) raised ")
    assert message.endswith(", expected a ValueError.")


def test_an_unwanted_raise_is_explained():
    source = MODULE.format("raise KeyError(d_model)")
    message = verdict_on(source, "MultiHeadAttention").relation
    assert message == "Your own `raise` ends this call. It should return a result."
    exercise = read_chapter("embeddings").get_exercise("sentence_embed")
    call = Call("sentence_embed", ("one", {}), to_raise="KeyError")
    error = {"type": "ValueError", "message": "one", "where": [("answer.py", 2, "f", "raise ValueError(sentence)")]}
    assert explain_error(error, exercise, call).endswith("but of type KeyError, not the ValueError of your `raise`.")
    assert explain_error(error, exercise).endswith("runs before anything is called.")
    same = Call("sentence_embed", ("one", {}), to_raise="ValueError")
    assert explain_error(error, exercise, same) == ""


def test_the_missing_word_of_a_message_is_named():
    source = "def load_glove_embeddings(glove_file):\n    raise ValueError('something is wrong')\n"
    verdict = verdict_on(source, "load_glove_embeddings")
    message = [test.message for test in verdict.tests if "whose message contains" in test.message]
    assert message
    assert all("raised ValueError: something is wrong (answer.py, line 2" in text for text in message)
    assert all("(which holds " in text for text in message)


def test_long_arguments_are_replaced_by_their_shapes():
    short, long = tensor([1.0, 2.0]), tensor(np.ones((5, 6)))
    assert format_call_in_short("f", (short,), {"mask": None}) == "f(tensor([1, 2]), mask=None)"
    told = format_call_in_short("f", (long, short, np.ones((6, 6)), "word", list(range(30)), [[1, 2, 3, 4, 5]] * 9), {})
    lists = "'word', a list of 30, a list of 9"
    assert told == f"f(tensor of shape (5, 6), tensor([1, 2]), array of shape (6, 6), {lists})"
    unusual = tensor(np.ones((5, 6)), "float64"), np.ones((5, 6), dtype=int)
    assert format_call_in_short("f", unusual, {}) == "f(float64 tensor of shape (5, 6), int64 array of shape (5, 6))"
    made = Call("Model", (4, 2))
    of = Call("Model", (long, long), maker=made)
    assert of.format_with(format_call_in_short) == "Model(4, 2)(tensor of shape (5, 6), tensor of shape (5, 6))"
    assert of.format_with(format_call_briefly) == "Model(4, 2)(…)"
    assert "[1, 1, 1" in str(of)


def test_a_message_is_short_where_the_call_is_long():
    source = MODULE.format("pass")
    verdict = verdict_on(source, "MultiHeadAttention")
    assert all(len(test.message) <= 320 for test in verdict.tests)
    assert any(len(test.call) > 320 for test in verdict.tests)


LONG = "def softmax(scores):\n    return np.exp(scores) @ " + "np.eye(4) @ " * 9 + "scores\n"


def test_a_shortened_error_keeps_its_type_and_line():
    verdict = verdict_on(f"import numpy as np\n\n\n{LONG}", "softmax")
    test = verdict.shown_test
    assert test.finding.startswith("raised ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0")
    assert LONG.split("\n")[1].strip() in test.finding
    call, finding = test.shorten(200)
    assert call.startswith("softmax(") and len(f"{call} {finding}") <= 200
    assert finding.startswith("raised ValueError: sizes 4 and 6 do not match (answer.py, line 5: return")
    assert test.shorten(0) == ("softmax(…)", "raised ValueError: sizes 4 and 6 do not match (answer.py, line 5).")


def test_the_message_of_an_error_is_one_line_that_ends_once():
    source = "def softmax(scores):\n    raise ValueError('one\\n   two.')\n"
    test = verdict_on(source, "softmax").shown_test
    assert test.finding.startswith("raised ValueError: one two. (answer.py, line 2")
    error = {"type": "ValueError", "message": "no.", "where": []}
    assert make_refusal(error, "", "f", ()).finding == "raised ValueError: no."


def test_a_cut_text_loses_whole_words_in_the_middle():
    assert shorten("one two three", 13) == "one two three"
    assert shorten("one two three four five six", 18) == "one two … six"
    assert shorten("x" * 30, 9) == "xxxxxx … xxx"


def test_large_numbers_keep_their_decimal_places():
    numbers = [10000.3, 10000.1, 927.25, -1234.5, 1e9, 2000.0]
    assert format_value(numbers) == "[10000.3, 10000.1, 927.2, -1234.5, 1e+09, 2000]"


@pytest.mark.parametrize(
    ("one", "other", "texts"),
    [
        (3.881, 3.8808, ("3.881", "3.8808")),
        (2.0001, 2.0, ("2.0001", "2")),
        (0.5, 0.25, ("0.5", "0.25")),
        (0.43213, 0.4321, ("0.43213", "0.4321")),
        (1, 2, ("1", "2")),
    ],
)
def test_two_numbers_are_formatted_differently(one, other, texts):
    assert format_pair(one, other) == texts


def test_an_error_comes_before_the_line_that_fixes_it():
    error = {"type": "TypeError", "message": "odd", "where": []}
    test = TestVerdict("example", "raised", 0, 1, "raised TypeError: odd.", "softmax([1])", error=error)
    change = SuggestedChange("answer.py", 2, 2, "the sum", "", "", notebook=False)
    verdict = ExerciseVerdict("one_query", "softmax", [test], explanation=Explanation(Kind.LINE, "", change=change))
    assert [kind for kind, _ in verdict.texts] == ["call", "finding", "line"]
    message = Explanation(Kind.OBSERVATION, "Said.", change=change)
    assert [kind for kind, _ in replace(verdict, explanation=message).texts] == ["relation", "line", "call", "finding"]


def test_a_check_says_that_a_later_definition_does_not_count():
    own, later = write_answer("softmax", "return [1.0] * len(scores)"), "def softmax(scores):\n    return scores\n"
    verdict = verdict_on(f"{own}\n# %%\n{later}", "softmax")
    assert verdict.stopped.startswith("softmax is defined again in the cell at line"), verdict.stopped
    assert verdict_on(own, "softmax").stopped == ""
