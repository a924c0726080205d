"""Explanations of errors that Python, NumPy and torch really raise."""

import pytest

from autograder.chapters.chapter import read_chapter
from autograder.judging.explain.failure import Failure, explain_error, read_error_rows
from autograder.worker.runner import Runner
from support.grading import verdict_on

BEFORE = """import math, numpy as np, torch, torch.nn.functional as F
from torch import nn
x, t, row = np.ones((2, 3)), torch.ones(2, 3), [1.0, 2.0, 3.0]"""


def error_of(source):
    nothing, error = Runner("example").load([("given.py", 1, BEFORE), ("answer.py", 1, source)])
    assert nothing is None
    return error


@pytest.mark.parametrize("row", read_error_rows(), ids=lambda row: row.example)
def test_each_row_explains_its_example(row):
    error, exercise = error_of(row.example), read_chapter("qkv").get_exercise("SelfAttention")
    failure = Failure.from_error(error, exercise)
    assert next((row for row in read_error_rows() if row.explain(failure)), None) is row, error
    assert explain_error(error, exercise) == row.explain(failure)


NUMPY = "import numpy as np\n"
SOFTMAX = NUMPY + "def softmax(scores):\n    "


# Explanations that depend on the exercise, the call or the sandbox: (chapter, exercise, answer, expected words).
@pytest.mark.parametrize(
    ("chapter", "exercise", "source", "words"),
    [
        ("one_query", "softmax", SOFTMAX + "return np.exp(scors)", "is not defined. Did you mean `scores`?"),
        ("one_query", "softmax", SOFTMAX + "return soft_max(scores)", "Did you mean `softmax`?"),
        ("one_query", "softmax", SOFTMAX + "return helper(scores)", "`helper` is not defined before this line."),
        ("one_query", "softmax", SOFTMAX + "return np.exp(score['scorer'])", "is not defined. Did you mean `scores`?"),
        ("one_query", "softmax", "def softmax(scores):\n    return np.exp(scores)", "add `import numpy as np`, or run"),
        ("one_query", "softmax", SOFTMAX + "return batched_softmax(scores)", "is an exercise of all_queries"),
        ("one_query", "softmax", SOFTMAX + "return normalize_by_sum(scores)", "is an exercise of this chapter"),
        ("one_query", "attend", "def attend(*given): from all_queries import x", "all_queries is another chapter"),
        ("one_query", "softmax", SOFTMAX + "return input('scores')", "wait for the keyboard"),
        ("one_query", "softmax", SOFTMAX + "breakpoint()", "wait for the keyboard"),
        ("one_query", "softmax", SOFTMAX + "return softmax(scores)", "through other functions. When should it stop?"),
        ("one_query", "softmax", SOFTMAX + "raise ValueError", "Your own `raise` ends this call. It"),
        ("one_query", "softmax", SOFTMAX + "assert not scores", "Your own `assert` ends this call."),
        (
            "all_queries",
            "attention_scores",
            NUMPY + "def attention_scores(queries, keys):\n    return np.asarray(queries) @ np.ones((7, 2))",
            "the second-to-last or only axis of `b`: here they are 3 and 7.",
        ),
        (
            "multi_head",
            "split_heads",
            "import torch\ndef split_heads(x, num_heads):\n    if x.shape[-1] % num_heads: raise ValueError\n"
            "    n, d = x.shape[-2:]\n    x = x.view(*x.shape[:-2], n * d)\n    "
            "return x.view(*x.shape[:-1], n, num_heads, d // num_heads).transpose(-3, -2)",
            "after a transpose a tensor is not contiguous. Did you mean `reshape`?",
        ),
        (
            "pretrained",
            "block_state",
            "def block_state(checkpoint, layer): return {'a': checkpoint['encoder.layer.0.LayerNorm.bias']}",
            "There is no such key. Did you mean 'encoder.layer.0.",
        ),
        (
            "multi_head",
            "ConcatMultiHeadAttention",
            "import torch\nfrom torch import nn\nclass Head(nn.Module):\n    def __init__(self, d_in, d_k):\n"
            "        # TODO: your code here, in place of the next line.\n        raise NotImplementedError\n\n"
            "class ConcatMultiHeadAttention(nn.Module):\n    def __init__(self, d_in, d_k, num_heads):\n"
            "        super().__init__()\n        self.heads = nn.ModuleList([Head(d_in, d_k)])\n",
            "`Head` is still to do: answer.py:6.",
        ),
    ],
    ids=lambda value: value[:40].strip(),
)
def test_an_error_is_explained_by_the_exercise_or_the_call(chapter, exercise, source, words):
    verdict = verdict_on(source, exercise)
    assert verdict.outcome == "raised"
    assert words in verdict.relation


def test_a_missing_library_is_explained():
    error = {"type": "ModuleNotFoundError", "message": "No module named 'torch'", "where": []}
    softmax = read_chapter("one_query").get_exercise("softmax")
    assert explain_error(error, softmax) == "torch is not installed here. This chapter does not need it."
