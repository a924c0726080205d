"""Sentences for learners: what was expected is always there, and long numbers come in short."""

import numpy as np
import pytest

from autograder.judging.calls import Call
from autograder.judging.values import BRIEF, show_both, show_call_in_short
from autograder.suite import tensor
from support.grading import grade_source

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
def test_what_should_have_been_raised_is_told_where_something_else_was(raised):
    source = MODULE.format(raised if "assert" in raised else f"if d_model % num_heads: {raised}")
    tests = grade_source(source, "multi_head", ["MultiHeadAttention"])["MultiHeadAttention"].tests
    told = next(test.message for test in tests if test.name == "heads_that_do_not_divide")
    assert told.startswith("MultiHeadAttention(4, 3) raised ")
    assert told.endswith(", expected ValueError.")


def test_the_word_that_a_message_should_have_is_told():
    source = "def load_glove_embeddings(glove_file):\n    raise ValueError('something is wrong')\n"
    verdict = grade_source(source, "embeddings", ["load_glove_embeddings"])["load_glove_embeddings"]
    told = [test.message for test in verdict.tests if "whose message contains" in test.message]
    assert told
    assert all("raised ValueError: something is wrong (answer.py, line 2" in text for text in told)
    assert all("(which holds " in text for text in told)


def test_long_arguments_are_told_by_their_shapes_in_a_sentence():
    short, long = tensor([1.0, 2.0]), tensor(np.ones((5, 6)))
    assert show_call_in_short("f", (short,), {"mask": None}) == "f(tensor([1, 2]), mask=None)"
    told = show_call_in_short("f", (long, short, np.ones((6, 6)), "word", list(range(30))), {})
    assert (
        told == "f(float32 tensor of shape (5, 6), tensor([1, 2]), float64 array of shape (6, 6), 'word', a list of 30)"
    )
    assert len(told) <= BRIEF
    made = Call("Model", (4, 2))
    of = Call("Model", (long, long), of=made)
    assert of.told(show_call_in_short) == "Model(4, 2)(float32 tensor of shape (5, 6), float32 tensor of shape (5, 6))"
    assert "[1, 1, 1" in str(of)


def test_a_message_is_short_where_the_call_is_long():
    source = MODULE.format("pass")
    verdict = grade_source(source, "multi_head", ["MultiHeadAttention"])["MultiHeadAttention"]
    assert all(len(test.message) <= 320 for test in verdict.tests)
    assert any(len(test.call) > 320 for test in verdict.tests)


@pytest.mark.parametrize(
    ("one", "other", "texts"),
    [
        (3.881, 3.8808, ("3.8810", "3.8808")),
        (2.0001, 2.0, ("2.0001", "2")),
        (0.5, 0.25, ("0.5", "0.25")),
        (0.43213, 0.4321, ("0.43213", "0.43210")),
        (1, 2, ("1", "2")),
    ],
)
def test_two_numbers_have_as_many_digits(one, other, texts):
    assert show_both(one, other) == texts


PLOT = """
import matplotlib.pyplot as plt
import numpy as np

def plot_attention(queries, keys, matrix, axes=None):
    axes = axes or plt.subplots()[1]
    image = axes.imshow({drawn})
    axes.set_xticks(range(len(keys)), {labels})
    axes.set_yticks(range(len(queries)), queries)
    axes.figure.colorbar(image)
    axes.set(title="weights", xlabel="keys", ylabel="queries")
    return axes
"""


@pytest.mark.parametrize(
    ("drawn", "labels", "words"),
    [
        ("matrix", "keys[:1] + ['?'] * (len(keys) - 1)", "'la' is missing"),
        ("np.asarray(matrix) + 1", "keys", "draws 1.9 in row 0 and column 0, counted from 0, expected 0.9"),
        (
            "np.transpose(matrix)",
            "keys",
            "draws 2 rows and 3 columns, expected 3 rows for queries and 2 columns for keys",
        ),
    ],
)
def test_what_a_picture_shows_instead(drawn, labels, words):
    source = PLOT.format(drawn=drawn, labels=labels)
    assert words in grade_source(source, "embeddings", ["plot_attention"])["plot_attention"].message


def test_complex_results_are_told_as_such():
    source = "import numpy as np\ndef softmax(scores):\n    return np.zeros((2, 2), dtype=complex)\n"
    assert "returned complex numbers, expected real ones" in grade_source(source, only=["softmax"])["softmax"].message
