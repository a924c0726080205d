"""What is said of a wrong result where no mistake is named: true of the numbers, and nothing where nothing shows."""

import re
from dataclasses import replace

import numpy as np
import pytest

from autograder.chapters.chapter import read_chapter
from autograder.judging.calls import Call
from autograder.judging.diagnosis import Evidence
from autograder.judging.observe.arrays import clauses, faint
from autograder.judging.observe.between import alike
from autograder.judging.observe.comparing import softmax
from autograder.judging.observe.features import features
from autograder.judging.observe.observe import relate
from autograder.judging.observe.patterns import pattern
from autograder.judging.observe.results import _in_other_places
from autograder.worker.values import Tensor
from support.grading import grade_source

RNG = np.random.default_rng(7)
MATRIX = np.round(RNG.normal(size=(3, 4)), 2)
SQUARE, BATCH, VECTOR = RNG.normal(size=(4, 4)), RNG.normal(size=(2, 3, 4)), RNG.normal(size=5)
WEIGHTS = softmax(RNG.normal(size=(3, 4)))
MASK = np.tri(4, dtype=bool)
CROSS = (np.arange(4) == 3) | (np.arange(4)[:, None] == 0)
Q, K = RNG.normal(size=(3, 6)), RNG.normal(size=(4, 6))


def said(got, expected, clauses=clauses, **given):
    with np.errstate(all="ignore"):
        return list(clauses(np.asarray(got), np.asarray(expected), given))


@pytest.mark.parametrize(
    ("got", "expected", "clause"),
    [
        (MATRIX.T, MATRIX, "{it} is what was expected, transposed"),
        (SQUARE.T, SQUARE, "{it} is what was expected, transposed"),
        (BATCH.swapaxes(0, 1), BATCH, None),
        (MATRIX[::-1], MATRIX, "{it} is what was expected with its rows in reverse order"),
        (np.roll(VECTOR, 1), VECTOR, "{it} is what was expected with its numbers moved by one place"),
        (MATRIX[[2, 0, 1]][:, [0, 1, 2, 3]], MATRIX, "{it} is what was expected with its rows moved by one place"),
        (SQUARE[[2, 0, 3, 1]], SQUARE, "{it} has the expected rows, in another order"),
        (-MATRIX, MATRIX, "{it} is what was expected with the sign turned round"),
        (np.exp(MATRIX), MATRIX, "{it} is the exponential of what was expected"),
        (softmax(MATRIX), MATRIX, "{it} is what was expected, put through softmax once more"),
        (np.log(WEIGHTS), WEIGHTS, "{it} is the logarithm of what was expected"),
        (np.trunc(MATRIX * 9), MATRIX * 9, "{it} is what was expected, cut off after the decimal point"),
        (np.round(WEIGHTS, 3), WEIGHTS, "{it} is what was expected, rounded to 3 decimals"),
        (WEIGHTS.astype(np.float16), WEIGHTS, "{it} is of dtype float16, which holds three digits"),
        (MATRIX + 0.5, MATRIX, "{it} is what was expected plus 0.5"),
        (MATRIX * 3.7, MATRIX, "{it} is what was expected times 3.7"),
        (MATRIX * [[2], [3], [1]], MATRIX, "every row of {it} is the expected one times a number of its own"),
        (softmax(np.log(WEIGHTS), -2), WEIGHTS, "every column of {it} sums to 1, and every row should"),
        (WEIGHTS / 3, WEIGHTS, "all of {it} together sums to 1, and every row should"),
        (np.zeros((3, 4)), MATRIX, "{it} is 0 everywhere"),
        (np.where(np.eye(4) > 0, 0, SQUARE), SQUARE, "{it} is wrong on the diagonal only"),
        (~MASK, MASK, "{it} is what was expected with True and False exchanged"),
        (MASK.T, MASK, "{it} is what was expected, transposed"),
        (MASK.astype(int), MASK, "{it} is what was expected, with 1 and 0 in place of True and False"),
        (MATRIX[None], MATRIX, "{it} has the expected numbers, and an axis of length 1 too many"),
        (MATRIX.ravel(), MATRIX, "{it} has the expected numbers in the right order, in another shape"),
        (BATCH.sum(-2), BATCH, "{it} is what was expected with its axis -2 added up"),
        (BATCH, BATCH.mean(-2), "{it} with its axis -2 averaged is what was expected"),
        (BATCH[0], BATCH, "{it} is only the first entry of axis 0 of what was expected"),
        (
            MATRIX[:, ::2],
            MATRIX,
            "{it} holds every second column of what was expected: the first, third, fifth and so on",
        ),
        (
            np.where(np.median(MATRIX) < MATRIX, 0, MATRIX / 0.9),
            MATRIX,
            "some numbers of {it} are 0, and all others the expected ones times 1.111, as after dropout",
        ),
        (
            WEIGHTS * (1 + 5e-4 * np.sign(MATRIX)),
            WEIGHTS,
            "{it} is right to its first three digits and no further: "
            "is something rounded, or worked out in a dtype of fewer digits?",
        ),
        (
            np.where(np.eye(4) > 0, 0, MASK),
            MASK,
            "{it} has False on the diagonal where True was expected, with 1 and 0 in place of True and False",
        ),
        (np.zeros((4, 4), bool), MASK, "{it} is False everywhere"),
        (np.tile(MATRIX[:1] * 3, (3, 1)), MATRIX, "all rows of {it} are equal, and the expected ones differ"),
        (np.maximum(MATRIX, 0) * 2, MATRIX, "no number of {it} is below 0, and some should be"),
        (
            SQUARE + np.eye(4)[:, [1]] + np.eye(4)[:, [3]],
            SQUARE,
            "all of {it} is right but the rows 1 and 3, counted from 0",
        ),
        (MATRIX[:-1], MATRIX, "{it} is right but for 1 row too few at the end"),
        (np.vstack([MATRIX, MATRIX]), MATRIX, "{it} is right but for 3 rows too many at the end"),
        (np.insert(MATRIX, 1, 0, 0), MATRIX, "{it} holds what was expected and 1 row more: 1, counted from 0, all 0"),
        (MATRIX[[0, 2]], MATRIX, "{it} is what was expected without the row 1, counted from 0"),
        (np.where(CROSS, SQUARE + 1, SQUARE), SQUARE, "{it} is right outside the first row and the last column"),
        (np.tri(4, k=1) > 0, MASK, "{it} has True above the diagonal where False was expected"),
        (np.tri(4, k=-1) > 0, MASK, "{it} has False on the diagonal where True was expected"),
        (np.tri(4, k=-1).T > 0, MASK, "{it} is nowhere True where it should be"),
        (MATRIX[None, None], MATRIX, "{it} has the expected numbers, and 2 axes of length 1 too many"),
        (
            MASK[None, None].astype(int),
            MASK,
            "{it} has the expected entries, and 2 axes of length 1 too many, with 1 and 0 in place of True and False",
        ),
        (np.tril(SQUARE), SQUARE, "{it} is right on and below the diagonal, and 0 above it"),
        (
            np.tril(SQUARE) * 2,
            SQUARE,
            "all numbers of {it} above the diagonal are 0, and should not be",
        ),
        (WEIGHTS / 1.0003, WEIGHTS, "a row of {it} sums to 0.9997, and should sum to 1"),
        (
            WEIGHTS.astype(np.float32) * (1 + 5e-4 * np.sign(MATRIX)).astype(np.float32),
            WEIGHTS,
            "{it} is of dtype float32, which holds seven digits, and what came in is float64",
        ),
        (np.zeros(4), WEIGHTS[0], "{it} is 0 everywhere, as where `//` or an array of integers cuts off fractions"),
        (
            np.trunc(MATRIX * 9).astype(int),
            MATRIX * 9,
            "{it} is what was expected, cut off after the decimal point, and holds integers: make it of floats",
        ),
        (MATRIX[1], MATRIX, "{it} is only row 1 (counted from 0) of what was expected"),
        (BATCH[:, :, 3], BATCH, "{it} is only the last column of what was expected"),
        (np.tri(3) > 0, np.tri(5) > 0, "{it} is only the beginning of what was expected along each axis, 3 by 3"),
        (
            np.insert(MATRIX, 0, 7, -1)[:, :-1],
            MATRIX,
            "{it} is what was expected with its columns moved on by one place: "
            "something has come in at the front, and the last is gone",
        ),
        (
            MASK[[2, 0, 3, 1]].astype(np.int8),
            MASK,
            "{it} has the expected rows, in another order, with 1 and 0 in place of True and False",
        ),
    ],
)
def test_what_shows(got, expected, clause):
    if clause:
        assert clause in said(got, expected, x=MATRIX)


@pytest.mark.parametrize("array", [MATRIX, SQUARE, BATCH, VECTOR, WEIGHTS, MASK, np.float64(3.0), np.arange(4)])
def test_nothing_is_said_of_what_is_right(array):
    assert not [clause for clause in said(array, array) if "is the argument" not in clause]


@pytest.mark.parametrize("seed", range(20))
def test_of_numbers_that_have_nothing_to_do_with_each_other_nothing_is_said(seed):
    rng = np.random.default_rng(seed)
    one, other = rng.normal(size=(2, 3, 4))
    assert said(one, other, x=rng.normal(size=(3, 4)), y=rng.normal(size=(5, 4))) == []


@pytest.mark.parametrize(
    ("got", "expected", "clause"),
    [
        (np.array([2, 1, 0, 3]), np.array([0, 3, 1, 2]), "{it} has the expected numbers, in another order"),
        (
            WEIGHTS / 1.0003,
            WEIGHTS,
            "{it} is right to its first three digits and no further: "
            "is something rounded, or worked out in a dtype of fewer digits?",
        ),
        (MATRIX * 0.866, MATRIX, "every row of {it} is the expected one times a number of its own"),
        (np.zeros((4, 4), bool), MASK, "{it} is True only where it should be, but not in all of these places"),
        (np.zeros((3, 4)), MATRIX, "no number of {it} is below 0, and some should be"),
        (
            np.vstack([MATRIX[:-1], MATRIX[-1:] + 1]),
            MATRIX,
            "{it} is right outside the last row and the first column",
        ),
    ],
)
def test_what_shows_in_part_alone_is_not_said(got, expected, clause):
    assert clause not in said(got, expected)


EQUAL = WEIGHTS[:, [0, 1, 1, 3]]
FIRST = np.vstack([MATRIX[:1], MATRIX[1:] + 1.3])
ONES = np.where(np.arange(4) == 0, 1, SQUARE)


@pytest.mark.parametrize(
    ("got", "expected", "clause"),
    [
        (np.full((3, 4), np.nan), MATRIX, "{it} is not a number (nan) throughout"),
        (np.where(np.arange(3)[:, None] == 1, np.nan, MATRIX), MATRIX, "{it} has whole rows of nan"),
        (FIRST, MATRIX, "only the first row of {it} is right"),
        (
            np.where(MASK[1:], FIRST, 0),
            np.where(MASK[1:], MATRIX, 0),
            "only the first row of {it} is right throughout",
        ),
        (np.where(np.arange(4) % 2, FIRST, MATRIX), MATRIX, None),  # the other columns are right everywhere
        (BATCH + (np.arange(6).reshape(2, 3, 1) > 1), BATCH, None),  # the first row of one of two
        (ONES + (np.arange(4) > 0), ONES, None),  # a column of ones is no evidence
        (SQUARE, np.where(MASK, SQUARE, 0), "{it} is not 0 everywhere where mask is False"),
        (EQUAL, WEIGHTS, "columns 1 and 2 of {it} are equal, and the expected ones differ"),
        (
            np.vstack([EQUAL[:1], WEIGHTS[1:]]),
            WEIGHTS,
            "some numbers in a row of {it} are equal, and the expected ones differ",
        ),
        (
            WEIGHTS - np.eye(3, 4) / 2,
            WEIGHTS - 0.25,
            "a row of {it} sums to 0.5, and should sum to 0",
        ),
        (
            (WEIGHTS + 0.01 * EQUAL).astype(np.float32).astype(float),
            WEIGHTS,
            "{it} is of dtype float64 and holds numbers of float32: something has fewer digits on the way",
        ),
        (WEIGHTS * 9, WEIGHTS, f"{{it}} holds {WEIGHTS.max() * 9:.4g}, and all expected numbers lie between 0 and 1"),
    ],
)
def test_what_says_little(got, expected, clause):
    told = said(got, expected, faint, mask=MASK)
    assert clause in told if clause else not [each for each in told if each.startswith("only")]


def test_scores_that_were_scaled_otherwise_and_arguments_combined():
    twice = softmax(2 * np.log(WEIGHTS))
    assert "{it} belongs to scores that are the expected ones times 2" in said(twice, WEIGHTS)
    root = softmax(np.log(WEIGHTS) * 6**0.5)
    words = (
        "{it} belongs to scores that are the expected ones times the square root of 6, the length of axis -1 of keys"
    )
    assert words in said(root, WEIGHTS, keys=K)
    assert "{it} is one + other" in said(VECTOR + SQUARE[0, 0], VECTOR * 7, one=VECTOR, other=np.full(5, SQUARE[0, 0]))


def test_nan_in_the_places_of_an_argument():
    weights = np.where(CROSS, 0, np.abs(SQUARE))
    told = said(np.where(CROSS, np.nan, SQUARE), SQUARE, weights=weights, grad=SQUARE)
    assert told[0] == "{it} is nan just where weights is 0"
    assert not any(
        "just where" in clause for clause in said(np.where(CROSS, np.nan, SQUARE), SQUARE, weights=MASK * SQUARE)
    )


def test_arguments_and_their_products():
    assert said(Q, K[:3], queries=Q) == ["{it} is the argument queries, unchanged"]
    assert "{it} is queries @ keys.T" in said(Q @ K.T, Q @ K.T / 3, queries=Q, keys=K)
    assert "{it} is the softmax of queries @ keys.T" in said(softmax(Q @ K.T), softmax(Q @ K.T / 2), queries=Q, keys=K)
    factor = "{it} is what was expected times the square root of 6, the length of axis -1 of queries"
    assert factor in said(Q @ K.T, Q @ K.T / 6**0.5, queries=Q, keys=K)


@pytest.mark.parametrize(
    "odd",
    [
        "'x' * 10", "None", "{}", "[]", "[[1], [1, 2]]", "[[['a', 1e300]]]", "float('inf')", "10**400", "2**200",
        "np.array([])", "np.full(4, 1e308)", "np.array([None, 1])", "1j", "print", "(i for i in [1])", "{1: [2]}",
        "np.zeros((1,) * 30)", "np.ones(300_000)", "['a', 1]", "b'x'", "np.float16(7)", "True", "object()", "[np.nan]",
    ],
)  # fmt: skip
def test_odd_results_are_no_fault_of_ours(odd):
    source = f"import numpy as np\n\ndef softmax(scores):\n    return {odd}\n"
    for body in (source, source.replace("scores):", "scores):\n    if len(scores) == 6: return np.zeros(6)")):
        verdict = grade_source(body, only=["softmax"])["softmax"]
        assert verdict.outcome == "wrong", verdict.message


ALREADY_WRITTEN = """
def attention_scores(queries, keys):
    return np.asarray(queries) @ np.swapaxes(keys, -1, -2)

def batched_softmax(x, axis=-1):
    powers = np.exp(x - np.max(x, axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)

def context_vectors(weights, values):
    return np.asarray(weights) @ np.asarray(values)
"""
CASES = {
    "transposed": (
        "all_queries",
        "attention_scores",
        "def attention_scores(queries, keys):\n    return np.asarray(keys) @ np.swapaxes(queries, -2, -1)",
        "",
    ),
    "no batch": (
        "all_queries",
        "attention_scores",
        "def attention_scores(queries, keys):\n    n, d = np.shape(queries)\n    return queries @ np.transpose(keys)",
        "This line takes a certain number of axes for granted",
    ),
    "example": (
        "one_query",
        "softmax",
        "def softmax(scores):\n    return np.array([0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581])",
        "The same result comes back whatever is passed in",
    ),
    "random": (
        "one_query",
        "softmax",
        "kept = []\ndef softmax(scores):\n    kept.append(1)\n    return np.arange(len(scores)) + len(kept) % 7",
        "",
    ),
    "generator": (
        "one_query",
        "normalize_by_sum",
        "def normalize_by_sum(scores):\n    return (score / sum(scores) for score in scores)",
        "A generator makes its numbers only when somebody asks for them",
    ),
    "integers": (
        "one_query",
        "single_dot_attention_score",
        "def single_dot_attention_score(one, other):\n    return int(np.dot(one, other))",
        "cut off after the decimal point",
    ),
    "exchanged": (
        "one_query",
        "calculate_attention_vector",
        "def calculate_attention_vector(applied_attention):\n    return np.sum(applied_attention, axis=1) * 2",
        "times 2",
    ),
    "another factor each time": (
        "one_query",
        "calculate_attention_vector",
        "def calculate_attention_vector(applied):\n    return np.sum(applied, axis=1) / np.abs(applied).sum()",
        "The result is what was expected times one number, another one in other calls: by what is it divided?",
    ),
    "another scale": (
        "all_queries",
        "scaled_dot_product_attention",
        "def scaled_dot_product_attention(query, key, value, mask=None):\n"
        "    weights = batched_softmax(attention_scores(query, key) / 8)\n"
        "    return weights @ np.array(value), weights",
        "The result for weights belongs to scores whose scale is wrong, by another factor from call to call: "
        "by what do you divide? The result for output is wrong, too.",
    ),
    "one of two": (
        "all_queries",
        "simple_self_attention",
        "def simple_self_attention(inputs):\n    weights = batched_softmax(attention_scores(inputs, inputs))\n"
        "    return np.sin(context_vectors(weights, inputs)), weights",
        "The numbers of weights are right in every call, those of context are not.",
    ),
    "a row that is no share of 1": (
        "all_queries",
        "scaled_dot_product_attention",
        "def scaled_dot_product_attention(query, key, value, mask=None):\n"
        "    weights = batched_softmax(attention_scores(query, key) / np.sqrt(np.shape(query)[-1]))\n"
        "    weights[..., 0, :] **= 2\n"
        "    return weights @ np.array(value), weights",
        "and should sum to 1. The result for output is wrong, too.",
    ),
    "integers in part": (
        "all_queries",
        "context_vectors",
        "def context_vectors(weights, values):\n"
        "    return (np.asarray(weights) @ np.asarray(values)).astype(np.asarray(values).dtype)",
        "cut off after the decimal point, and holds integers: make it of floats.",
    ),
    "as long as another axis": (
        "all_queries",
        "context_vectors",
        "def context_vectors(weights, values):\n    return np.array(weights) * np.sum(values, -1)[..., None, :]",
        "Of the result, axis 1 is as long as n_k, not d_v.",
    ),
    "stacked": (
        "all_queries",
        "simple_self_attention",
        "def simple_self_attention(inputs):\n    weights = batched_softmax(attention_scores(inputs, inputs))\n"
        "    return np.hstack([context_vectors(weights, inputs), weights])",
        "",
    ),
    "an error returned": (
        "embeddings",
        "sentence_embed",
        "def sentence_embed(sentence, embed_dict):\n    for word in sentence.split():\n"
        "        if word not in embed_dict:\n            return KeyError(word)\n"
        "    return np.array([embed_dict[word] for word in sentence.split()])",
        "`return` hands the error back like any result",
    ),
    "keys": (
        "embeddings",
        "load_glove_embeddings",
        "def load_glove_embeddings(glove_file):\n    found = {}\n    for line in open(glove_file, encoding='utf-8'):\n"
        "        word, *numbers = line.split(' ')\n        try:\n"
        "            found[word] = np.array(numbers, dtype='float32')\n        except ValueError:\n"
        "            pass\n    return found",
        "The numbers under the expected keys are right, and '. . .' is missing.",
    ),
    "a default": (
        "all_queries",
        "batched_softmax",
        "def batched_softmax(x, axis=0):\n    powers = np.exp(x - np.max(x, axis, keepdims=True))\n"
        "    return powers / powers.sum(axis, keepdims=True)",
        "those that are wrong all lack an argument axis, and all with one are right: look at its default",
    ),
    "masks of three axes": (
        "all_queries",
        "scaled_dot_product_attention",
        "def scaled_dot_product_attention(query, key, value, mask=None):\n"
        "    scores = attention_scores(query, key) / np.sqrt(np.shape(key)[-1])\n"
        "    if mask is not None:\n        mask = mask[:, None] if mask.ndim > 2 else mask\n"
        "        scores = np.where(mask, scores, -1e300)\n"
        "    weights = batched_softmax(scores) * (1 if mask is None else np.broadcast_to(mask, scores.shape))\n"
        "    return weights @ np.array(value), weights",
        "all with 3 axes in mask are wrong, and all without are right.",
    ),
    "nothing to look up": (
        "embeddings",
        "get_glove_embeddings",
        "def get_glove_embeddings(vocab, glove, embed_dim):\n    found = {word: glove[word] for word in glove}\n"
        "    rows = [found.get(word, found.get(word.lower(), np.zeros(embed_dim))) for word in vocab]\n"
        "    return np.array(rows, dtype=np.float32)",
        "Of the calls tried, all with an empty vocab are wrong, and all without are right.",
    ),
    "an error is missing": (
        "multi_head",
        "split_heads",
        "import torch\n\ndef split_heads(x, num_heads):\n    return torch.stack(x.chunk(num_heads, -1), -3)",
        "Every result that is asked for is right; only an error that should be raised is missing.",
    ),
    "one of two mistakes": (
        "multi_head",
        "split_heads",
        "import torch\n\ndef split_heads(x, num_heads):\n    if x.shape[-1] % num_heads: raise ValueError\n"
        "    return torch.stack(x.split(num_heads, -1))",
        "Here the result is the one that this mistake gives: The parts are `num_heads` numbers wide",
    ),
    "words": (
        "embeddings",
        "tokenize",
        "def tokenize(sentence):\n    return sorted(sentence.split())",
        "",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_said_of_an_answer(case):
    chapter, exercise, source, words = CASES[case]
    known = ALREADY_WRITTEN if chapter == "all_queries" else ""
    verdict = grade_source(f"import numpy as np\n\n{known}\n{source}\n", chapter, [exercise])[exercise]
    assert verdict.outcome in ("wrong", "raised")
    assert bool(verdict.misconception) != bool(verdict.relation) or not words
    if words:
        assert words in verdict.relation, verdict.relation
        assert verdict.relation in verdict.message
        assert verdict.record()["relation"] == verdict.relation


def test_results_in_the_place_of_others():
    exercise = next(each for each in read_chapter("backward").exercises if each.name == "attention_backward")
    told = _in_other_places(exercise, [BATCH, SQUARE, MATRIX * 2], [SQUARE, MATRIX, BATCH])
    assert told == (
        "What comes first is grad_v, which should come third; what comes second is grad_q, which should come first."
    )
    assert not _in_other_places(exercise, [BATCH, SQUARE, BATCH], [SQUARE * 2, MATRIX, BATCH])


def test_a_name_needs_no_relation():
    source = "def softmax(scores):\n    return None\n"
    verdict = grade_source(source, only=["softmax"])["softmax"]
    assert verdict.misconception
    assert verdict.relation == ""


def test_other_names_of_parameters():
    source = """
import torch
from torch import nn

class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3))

    def forward(self, inp):
        return inp
"""
    verdict = grade_source(source, "qkv", ["SelfAttention"])["SelfAttention"]
    assert verdict.relation == "The parameters have the expected shapes, under other names."


def test_parameters_in_one():
    source = """
from torch import nn

class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=False)

    def forward(self, inp):
        return inp
"""
    told = "The parameters hold as many numbers as expected, under other names and in other shapes."
    assert grade_source(source, "qkv", ["SelfAttention"])["SelfAttention"].relation == told


def test_a_layer_in_place_of_a_parameter_and_locals_in_place_of_attributes():
    source = """
import torch
from torch import nn

class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        {}

    def forward(self, inp):
        return dot_attention(inp, self.wq, self.wk, self.wv)
"""
    layers = "self.wq, self.wk, self.wv = (nn.Bilinear(d_in, d_in, d_k) for _ in range(3))"
    verdict = grade_source(source.format(layers), "qkv", ["SelfAttention"])["SelfAttention"]
    assert verdict.relation.startswith("`wq` is a module with parameters of its own here")
    names = "wq, wk, wv = (nn.Parameter(torch.rand(d_in, d_k)) for _ in range(3))"
    verdict = grade_source(source.format(names), "qkv", ["SelfAttention"])["SelfAttention"]
    assert verdict.misconception is None, "that an attribute is missing is no evidence"
    assert verdict.relation == "The module has no parameter that torch would train."


def test_weights_set_anew_are_no_other_result_each_time():
    source = """
import torch
from torch import nn

class TrainableAttention(nn.Module):
    def __init__(self, d_in=300, d_out=256):
        super().__init__()
        self.Wq, self.Wk, self.Wv = (nn.Linear(d_in, d_out) for _ in range(3))

    def forward(self, queries, keys, values):
        q, k, v = (torch.relu(layer(x)) for layer, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values)))
        weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
        return weights @ v, weights
"""
    verdict = grade_source(source, "qkv", ["TrainableAttention"])["TrainableAttention"]
    assert "each time" not in verdict.relation
    assert verdict.relation == "No number of the result for attn_output is below 0, and some should be."


def test_a_result_that_is_right_for_other_arguments():
    source = """
import math, torch

def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ {0}, inp @ wk, inp @ wv
    weights = torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), -1)
    return weights @ v, weights
"""
    verdict = grade_source(source.format("wv"), "qkv", ["dot_attention"])["dot_attention"]
    assert verdict.relation == "What came back is right for wv in place of wq."
    window = (
        "import torch\n\ndef sliding_window_mask(n, window):\n    back = torch.arange(n)[:, None] - torch.arange(n)\n"
    )
    verdict = grade_source(
        window + "    return (back >= 0) & (back < window + 2)\n", "efficient", ["sliding_window_mask"]
    )
    assert "right for" not in verdict["sliding_window_mask"].relation


def test_parameters_beside_those_that_are_asked_for():
    source = """
import torch
from torch import nn

class TrainableAttention(nn.Module):
    def __init__(self, d_in=300, d_out=256):
        super().__init__()
        self.Wq, self.Wk, self.Wv = (nn.Linear(d_in, {0}) for _ in range(3))
        self.out = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values):
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
        return self.out(weights @ v).sigmoid(), weights
"""
    verdict = grade_source(source.format("d_out"), "qkv", ["TrainableAttention"])["TrainableAttention"]
    told = "All expected parameters are there, and more than these: `out.weight` and `out.bias`."
    assert verdict.relation == told
    fewer = source.replace("self.Wq, self.Wk, self.Wv", "self.Wq, self.Wk, _").replace("self.out = ", "out = ")
    verdict = grade_source(fewer.format("2 * d_out"), "qkv", ["TrainableAttention"])["TrainableAttention"]
    assert verdict.relation == "It has no Wv.weight, and Wq.weight has another shape than expected."


def test_parameters_that_were_used_up_when_the_module_was_made():
    source = """
import torch
from torch import nn

class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.rand(d_in, d_k)) for _ in range(3))
        self.both = ({0}).detach()

    def forward(self, inp):
        weights = torch.softmax(inp @ self.both.to(inp.dtype) @ inp.mT / self.wq.shape[-1] ** 0.5, -1)
        return weights @ inp @ self.wv, weights
"""
    verdict = grade_source(source.format("self.wq @ self.wk.mT"), "qkv", ["SelfAttention"])["SelfAttention"]
    assert verdict.relation == "No gradient reaches `wq` and `wk`, as if the result were made of something else."


def test_results_in_each_other_s_place_with_another_mistake_in_them():
    source = """
import torch

def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    weights = torch.softmax((q @ k.mT).tril(), -1)
    return {0}
"""
    told = "Each result has the shape of the other: what comes first that of weights, what comes second that of output."
    verdict = grade_source(source.format("weights, weights @ v"), "qkv", ["dot_attention"])["dot_attention"]
    assert verdict.relation == told
    verdict = grade_source(source.format("weights @ v, weights"), "qkv", ["dot_attention"])["dot_attention"]
    assert "shape" not in verdict.relation


def test_nan_where_numbers_are_large():
    source = """
import torch

def additive_scores(queries, keys, ws):
    grown = torch.exp(2 * (queries[..., :, None, :] + keys[..., None, :, :]))
    return ((grown - 1) / (grown + 1)) @ ws
"""
    verdict = grade_source(source, "additive", ["additive_scores"])["additive_scores"]
    assert re.match(
        r"Of the calls tried, it is right with numbers up to \d, and nan with one beyond 1,\d\d\d: inf",
        verdict.relation,
    )


def test_weights_in_place_of_others_are_asked_for_first():
    source = """
import torch
from torch import nn

class TrainableAttention(nn.Module):
    def __init__(self, d_in=300, d_out=256):
        super().__init__()
        self.Wq, self.Wk, self.Wv = (nn.Linear(d_in, d_out) for _ in range(3))

    def forward(self, queries, keys, values):
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wk(values)
        weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
        return weights @ v, weights
"""
    verdict = grade_source(source, "qkv", ["TrainableAttention"])["TrainableAttention"]
    assert verdict.relation == "What came back is right for Wk in place of Wv."


@pytest.mark.parametrize(("calls", "told"), [(2, False), (3, True)])
def test_a_limit_for_numbers_needs_several_wrong_calls(calls, told):
    bad = [Call("softmax", (np.array([900.0 + at, 1.25]),)) for at in range(calls)]
    good = [Call("softmax", (np.array([1.5, 0.25]),)), Call("softmax", (np.array([2.5, 3.25]),))]
    assert ("numbers above 3.25" in pattern(bad, good, ["scores"])) is told


def test_a_list_that_is_empty_is_no_list_in_place_of_an_array():
    assert "a list in place of an array" not in features(Call("softmax", ([],)), ["scores"], {"scores": 1})
    assert "a list in place of an array" in features(Call("softmax", ([1],)), ["scores"], {"scores": 1})


def test_zero_beside_large_numbers_is_no_wrong_result():
    weights = Tensor(np.array([[0.25, 0.75]]))
    calls = [Call("softmax_backward", (weights, Tensor(np.full((1, 2), 7.0)))) for _ in range(3)]
    for call, found in zip(calls, (1.0, 4e-7, 0.5), strict=True):
        call.value = Tensor(np.full((1, 2), found))
    right = [replace(call, value=Tensor(np.zeros((1, 2)))) for call in calls]
    evidence = Evidence(None, calls, right, [True] * 3, [False] * 3, calls[0], None)
    assert [wrong for *_, wrong in alike(evidence)] == [True, False, True]


@pytest.mark.parametrize(("calls", "told"), [(1, False), (2, True)])
def test_few_right_calls_bear_out_nothing_that_is_drawn(calls, told):
    bad = [Call("softmax", (np.array([-1.5, 0.25]),)) for _ in range(3)]
    good = [Call("softmax", (np.array([1.5, 0.25]),)) for _ in range(calls)]
    assert ("negative numbers" in pattern(bad, good, ["scores"])) is told


def test_of_a_result_that_is_right_nothing_is_said_but_what_it_changes():
    query, sentences = Tensor(VECTOR[:4]), Tensor(MATRIX)
    call = Call("rank_by_similarity", (query, sentences), value=(Tensor(np.array([0, 1, 2])), Tensor(VECTOR[:3])))
    changing = replace(call, changed=[1])
    evidence = Evidence(None, [changing], [call], [True], [False], changing, None)
    exercise = read_chapter("pretrained").exercise("rank_by_similarity")
    assert relate(evidence, exercise) == "It changes sentences while it works."
