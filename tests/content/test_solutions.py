"""The solutions agree with a slow reference, with torch, with the figures of the seeds, and with what attention is.

A new exercise on arrays needs a line in `ARGUMENTS` and a function in `slow_reference`; a new chapter of them its name
in `CHAPTERS`. Words and pictures are tested in test_words_solutions.py, and what is made of tensors in
test_torch_solutions.py. The examples of every written chapter are run without being named here.
"""

import copy
import doctest
import inspect
from decimal import Decimal

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autograder.chapters.chapter import read_chapter
from support import slow_reference
from support.grading import graded_chapters, solution_module

CHAPTERS = ("one_query", "all_queries")
MODULES = {name: solution_module(name) for name in CHAPTERS}
SOLUTIONS = {e.name: getattr(MODULES[name], e.name) for name in CHAPTERS for e in read_chapter(name).exercises}
STEADY = settings(max_examples=50, derandomize=True, deadline=None, database=None)

# Arguments ----------------------------------------------------------------------------------------------------

STEPS = 2**23  # numbers are whole multiples of a power of two: exact in float32, their dot products in float64
FORMS = {
    "float64": lambda array: array,
    "float32": lambda array: array.astype(np.float32),
    "whole": lambda array: np.rint(array).astype(np.int64),
    "bytes": lambda array: np.rint(array).clip(-127, 127).astype(np.int8),  # products must not wrap round
    "list": lambda array: array.tolist(),
    "tuple": lambda array: tuple(array.tolist()),
}

generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)


@st.composite
def arguments(draw, *shapes, largest=(1, 4, 128)):
    """One array_like for each shape such as "... q d": equal letters are equal sizes, the dots are batch axes.

    Hypothesis chooses sizes, forms and magnitudes; numbers of its own choice would be zero as a rule, and alike.
    """
    sizes = {letter: draw(st.integers(1, 5)) for letter in dict.fromkeys("".join(shapes)) if letter.isalpha()}
    batch = tuple(draw(st.lists(st.integers(1, 3), max_size=2)))
    rng, form, arrays = draw(generators), FORMS[draw(st.sampled_from(list(FORMS)))], []
    for shape in shapes:
        sides = [batch if axis == "..." else (sizes[axis],) for axis in shape.split()]
        whole = rng.integers(-STEPS, STEPS, size=sum(sides, ()), endpoint=True)
        arrays.append(form(whole * (draw(st.sampled_from(largest)) / STEPS)))
    return tuple(arrays)


@st.composite
def with_axis(draw):
    (x,) = draw(arguments("... m n", largest=LARGE))
    n_axes = np.ndim(x)
    return (x, *draw(st.just(()) | st.integers(-n_axes, n_axes - 1).map(lambda axis: (axis,))))


@st.composite
def with_mask(draw):
    """Queries, keys and values, and no mask or one of any shape that can be stretched to that of the weights."""
    query, key, value = draw(arguments("... q d", "... k d", "... k v"))
    shape = weights_shape(query, key)
    shape = [draw(st.sampled_from((1, length))) for length in shape[draw(st.integers(0, len(shape) - 1)) :]]
    mask = draw(generators).random(shape) < draw(st.sampled_from((0.3, 0.8)))
    return query, key, value, draw(st.sampled_from((None, mask)))


@st.composite
def sentences(draw):
    max_length = draw(st.integers(1, 6))
    lengths = np.array(draw(st.lists(st.integers(0, max_length), min_size=1, max_size=5)))
    return FORMS[draw(st.sampled_from(("whole", "list", "tuple")))](lengths), max_length


def weights_shape(query, key):
    return (*np.shape(query)[:-1], np.shape(key)[-2])


LARGE = (1, 4, 128, 2**14, 2**20)  # e to the power of 2**20 is beyond every float type that a machine has
ARGUMENTS = {
    "single_dot_attention_score": arguments("h", "h"),
    "dot_attention_score": arguments("h", "h t"),
    "normalize_by_sum": arguments("n").filter(lambda args: np.sum(args[0]) != 0),
    "softmax": arguments("n", largest=LARGE),
    "apply_attention_scores": arguments("t", "h t"),
    "calculate_attention_vector": arguments("h t"),
    "attend": arguments("h", "h t"),
    "attention_scores": arguments("... q d", "... k d"),
    "batched_softmax": with_axis(),
    "context_vectors": arguments("... q k", "... k v"),
    "simple_self_attention": arguments("... n d"),
    "causal_mask": st.tuples(st.integers(1, 9)),
    "padding_mask": sentences(),
    "scaled_dot_product_attention": with_mask(),
}


def plain(argument):
    return np.asarray(argument).tolist() if np.ndim(argument) else argument


def assert_same(got, expected, place="the result"):
    """Equal in form, as the texts promise it (float64, a plain float, Boolean, a pair), and in value."""
    if isinstance(expected, tuple):
        assert type(got) is tuple
        assert len(got) == len(expected)
        for number, pair in enumerate(zip(got, expected, strict=True), start=1):
            assert_same(*pair, f"result {number}")
    elif isinstance(expected, Decimal):
        assert type(got) is float, place
        assert got == pytest.approx(float(expected), rel=1e-12, abs=0), place
    else:
        of_booleans = np.array(expected).dtype == bool
        expected = np.array(expected, dtype=bool if of_booleans else float)
        assert isinstance(got, np.ndarray), place
        assert got.dtype == expected.dtype, place
        assert got.shape == expected.shape, place
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-12 * np.abs(expected).max(), err_msg=place)


# Beside others ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", ARGUMENTS)
@STEADY
@given(data=st.data())
def test_the_slow_reference_agrees(exercise, data):
    """And inputs stay, and a result holds when other calls follow."""
    args, others = data.draw(ARGUMENTS[exercise]), data.draw(ARGUMENTS[exercise])
    before = copy.deepcopy(args)
    got = SOLUTIONS[exercise](*args)
    SOLUTIONS[exercise](*others)
    for argument, copied in zip(args, before, strict=True):
        np.testing.assert_array_equal(argument, copied)
    assert_same(got, getattr(slow_reference, exercise)(*map(plain, before)))


def tensor(argument):
    array = np.asarray(argument)
    return torch.tensor(array if array.dtype == bool else array.astype(float)) if array.ndim else argument


def torch_attention(query, key, value, mask=None, scale=None):
    if mask is not None:
        mask = mask.broadcast_to(weights_shape(query, key))
    return torch.nn.functional.scaled_dot_product_attention(query, key, value, mask, scale=scale)


IN_TORCH = {
    "single_dot_attention_score": torch.dot,
    "dot_attention_score": lambda state, annotations: torch.matmul(annotations.mT, state),
    "softmax": lambda scores: torch.softmax(scores, dim=0),
    "attend": lambda state, annotations: torch_attention(state[None], annotations.mT, annotations.mT, scale=1.0)[0],
    "attention_scores": lambda queries, keys: torch.matmul(queries, keys.mT),
    "batched_softmax": lambda x, axis=-1: torch.softmax(x, dim=axis),
    "context_vectors": torch.matmul,
    "simple_self_attention": lambda inputs: torch_attention(inputs, inputs, inputs, scale=1.0),
    "scaled_dot_product_attention": torch_attention,
}


@pytest.mark.parametrize("exercise", IN_TORCH)
@STEADY
@given(data=st.data())
def test_torch_agrees(exercise, data):
    args = data.draw(ARGUMENTS[exercise])
    got, expected = SOLUTIONS[exercise](*args), IN_TORCH[exercise](*map(tensor, args)).numpy()
    got = got[0] if isinstance(got, tuple) else got
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-12 * np.abs(expected).max())


@STEADY
@given(arguments("h", "h t"))
def test_one_query_is_a_row_of_all_queries(args):
    state, annotations = args
    rows = np.transpose(annotations)
    context, weights = SOLUTIONS["attend"](state, annotations)
    scaled = np.asarray(state, dtype=float) * np.sqrt(len(state))
    output, all_weights = SOLUTIONS["scaled_dot_product_attention"](scaled[None], rows, rows)
    np.testing.assert_allclose(output[0], context, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(all_weights[0], weights, rtol=1e-9, atol=1e-12)


# What attention is --------------------------------------------------------------------------------------------


@STEADY
@given(with_mask())
def test_rows_sum_to_one_or_attend_to_nothing(args):
    output, weights = SOLUTIONS["scaled_dot_product_attention"](*args)
    mask = np.broadcast_to(True if args[3] is None else args[3], weights.shape)
    assert (weights >= 0).all()
    assert (weights[~mask] == 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), mask.any(axis=-1), atol=1e-12)
    assert (output[~mask.any(axis=-1)] == 0).all()


@STEADY
@given(with_axis(), st.sampled_from((-(2.0**20), -1.5, 0.25, 1024.0)))
def test_a_shift_changes_no_weight_and_each_slice_sums_to_one(args, shift):
    x, axis = np.asarray(args[0], dtype=float), dict(enumerate(args)).get(1, -1)
    weights = SOLUTIONS["batched_softmax"](*args)
    np.testing.assert_allclose(weights.sum(axis=axis), 1, rtol=1e-12)
    shifts = shift * np.arange(1, 1 + weights.size // weights.shape[axis])
    shifts = shifts.reshape(weights.max(axis=axis, keepdims=True).shape)  # each slice its own
    np.testing.assert_allclose(SOLUTIONS["batched_softmax"](x + shifts, *args[1:]), weights, rtol=1e-6, atol=1e-12)


@STEADY
@given(arguments("n", largest=(1, 128)), st.sampled_from((-(2.0**14), 1.5, 2.0**20)))
def test_softmax_keeps_the_order_and_forgets_a_shift(args, shift):
    scores = np.asarray(args[0], dtype=float)
    weights = SOLUTIONS["softmax"](scores)
    assert weights.sum() == pytest.approx(1, rel=1e-12)
    assert (np.diff(weights[np.argsort(scores)]) >= 0).all()
    np.testing.assert_allclose(SOLUTIONS["softmax"](scores + shift), weights, rtol=1e-6, atol=1e-12)


@STEADY
@given(arguments("... n d"), st.randoms())
def test_the_order_of_tokens_moves_rows_and_columns_only(args, random):
    inputs = np.asarray(args[0], dtype=float)
    order = random.sample(range(inputs.shape[-2]), inputs.shape[-2])
    context, weights = SOLUTIONS["simple_self_attention"](inputs)
    moved_context, moved_weights = SOLUTIONS["simple_self_attention"](inputs[..., order, :])
    np.testing.assert_allclose(moved_context, context[..., order, :], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(moved_weights, weights[..., order, :][..., order], rtol=1e-9, atol=1e-12)


@STEADY
@given(arguments("... q d", "... k d", "... k v"))
def test_outputs_lie_between_the_values(args):
    output, _ = SOLUTIONS["scaled_dot_product_attention"](*args)
    value = np.asarray(args[2], dtype=float)
    assert (output <= value.max(axis=-2, keepdims=True) + 1e-9).all()
    assert (output >= value.min(axis=-2, keepdims=True) - 1e-9).all()


@STEADY
@given(arguments("... n d"), st.data())
def test_the_past_does_not_see_the_future(args, data):
    inputs = np.asarray(args[0], dtype=float)
    n = inputs.shape[-2]
    assume(n > 1)
    now = data.draw(st.integers(1, n - 1))
    later = inputs.copy()
    later[..., now:, :] = 3.5 - 2 * later[..., now:, :]
    mask = SOLUTIONS["causal_mask"](n)
    attention = SOLUTIONS["scaled_dot_product_attention"]
    for before, after in zip(attention(*[inputs] * 3, mask), attention(*[later] * 3, mask), strict=True):
        np.testing.assert_allclose(after[..., :now, :], before[..., :now, :], rtol=1e-12, atol=1e-12)


@STEADY
@given(sentences(), st.integers(1, 4))
def test_padding_is_not_looked_at(sentence, width):
    lengths, max_length = sentence
    rng = np.random.default_rng(max_length)
    tokens = rng.normal(size=(len(lengths), max_length, width))
    mask = SOLUTIONS["padding_mask"](lengths, max_length)
    output, weights = SOLUTIONS["scaled_dot_product_attention"](tokens, tokens, tokens, mask)
    for i, length in enumerate(lengths):
        real = tokens[i, :length]
        if length:
            alone = SOLUTIONS["scaled_dot_product_attention"](tokens[i], real, real)
            np.testing.assert_allclose(output[i], alone[0], rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(weights[i, :, :length], alone[1], rtol=1e-9)
        assert (weights[i, :, length:] == 0).all()


# Figures of the seeds -----------------------------------------------------------------------------------------


def table(text):
    return np.array([row.split() for row in text.strip().splitlines()], dtype=float)


STATE, ANNOTATIONS = [5, 1, 20], np.transpose([[3, 12, 45], [59, 2, 5], [1, 43, 5], [4, 3, 45.3]])
JOURNEY = table("""
    0.43 0.15 0.89
    0.55 0.87 0.66
    0.57 0.85 0.64
    0.22 0.58 0.33
    0.77 0.25 0.10
    0.05 0.80 0.55
""")
JOURNEY_SCORES = table("""
    0.9995 0.9544 0.9422 0.4753 0.4576 0.6310
    0.9544 1.4950 1.4754 0.8434 0.7070 1.0865
    0.9422 1.4754 1.4570 0.8296 0.7154 1.0605
    0.4753 0.8434 0.8296 0.4937 0.3474 0.6565
    0.4576 0.7070 0.7154 0.3474 0.6654 0.2935
    0.6310 1.0865 1.0605 0.6565 0.2935 0.9450
""")
JOURNEY_WEIGHTS = table("""
    0.2098 0.2006 0.1981 0.1242 0.1220 0.1452
    0.1385 0.2379 0.2333 0.1240 0.1082 0.1581
    0.1390 0.2369 0.2326 0.1242 0.1108 0.1565
    0.1435 0.2074 0.2046 0.1462 0.1263 0.1720
    0.1526 0.1958 0.1975 0.1367 0.1879 0.1295
    0.1385 0.2184 0.2128 0.1420 0.0988 0.1896
""")
JOURNEY_CONTEXT = table("""
    0.4421 0.5931 0.5790
    0.4419 0.6515 0.5683
    0.4431 0.6496 0.5671
    0.4304 0.6298 0.5510
    0.4671 0.5910 0.5266
    0.4177 0.6503 0.5645
""")
PRINTED = {"rtol": 0, "atol": 0.500001e-4}  # four digits were printed


def test_seed_004():
    call = SOLUTIONS
    assert call["single_dot_attention_score"](STATE, ANNOTATIONS[:, 0]) == 927
    scores = call["dot_attention_score"](STATE, ANNOTATIONS)
    np.testing.assert_allclose(scores, [927, 397, 148, 929], rtol=1e-12)
    weights = call["softmax"](scores)
    np.testing.assert_allclose(weights, [0.11920292, 7.9e-232, 0, 0.88079708], rtol=1e-2, atol=1e-300)
    np.testing.assert_allclose(weights[[0, 3]], [0.11920292, 0.88079708], rtol=0, atol=5e-9)
    applied = call["apply_attention_scores"](weights, ANNOTATIONS)
    np.testing.assert_allclose(applied[:, 0], [0.3576, 1.4304, 5.3641], **PRINTED)
    np.testing.assert_allclose(applied[:, 3], [3.5232, 2.6424, 39.9001], **PRINTED)
    np.testing.assert_allclose(applied[:, 1:3], 0, atol=1e-200)
    np.testing.assert_allclose(call["calculate_attention_vector"](applied), [3.8808, 4.0728, 45.2642], **PRINTED)
    assert_same(call["attend"](STATE, ANNOTATIONS), (call["calculate_attention_vector"](applied), weights))


def test_seed_003_for_one_word():
    scores = SOLUTIONS["dot_attention_score"](JOURNEY[1], JOURNEY.T)
    np.testing.assert_allclose(scores, JOURNEY_SCORES[1], **PRINTED)
    by_sum = [0.1455, 0.2278, 0.2249, 0.1285, 0.1077, 0.1656]
    np.testing.assert_allclose(SOLUTIONS["normalize_by_sum"](scores), by_sum, **PRINTED)
    np.testing.assert_allclose(SOLUTIONS["softmax"](scores), JOURNEY_WEIGHTS[1], **PRINTED)
    context, weights = SOLUTIONS["attend"](JOURNEY[1], JOURNEY.T)
    np.testing.assert_allclose(context, JOURNEY_CONTEXT[1], **PRINTED)
    np.testing.assert_allclose(weights, JOURNEY_WEIGHTS[1], **PRINTED)


def test_seed_003_for_all_words():
    scores = SOLUTIONS["attention_scores"](JOURNEY, JOURNEY)
    np.testing.assert_allclose(scores, JOURNEY_SCORES, **PRINTED)
    weights = SOLUTIONS["batched_softmax"](scores)
    np.testing.assert_allclose(weights, JOURNEY_WEIGHTS, **PRINTED)
    np.testing.assert_allclose(SOLUTIONS["context_vectors"](weights, JOURNEY), JOURNEY_CONTEXT, **PRINTED)
    assert_same(SOLUTIONS["simple_self_attention"](JOURNEY), slow_reference.simple_self_attention(JOURNEY.tolist()))
    np.testing.assert_allclose(SOLUTIONS["simple_self_attention"](JOURNEY)[0], JOURNEY_CONTEXT, **PRINTED)


# The chapters -------------------------------------------------------------------------------------------------


def test_every_exercise_of_the_contract_has_a_slow_reference():
    assert set(ARGUMENTS) <= set(SOLUTIONS)
    assert set(ARGUMENTS) == set(SOLUTIONS) & set(SIGNATURES)
    assert all(hasattr(slow_reference, exercise) for exercise in ARGUMENTS)


# Graders and notebooks outside this repository call these names with these parameters.
SIGNATURES = {
    "single_dot_attention_score": "(dec_hidden_state, enc_hidden_state)",
    "dot_attention_score": "(dec_hidden_state, annotations)",
    "normalize_by_sum": "(scores)",
    "softmax": "(scores)",
    "apply_attention_scores": "(attention_weights, annotations)",
    "calculate_attention_vector": "(applied_attention)",
    "attend": "(dec_hidden_state, annotations)",
    "attention_scores": "(queries, keys)",
    "batched_softmax": "(x, axis=-1)",
    "context_vectors": "(attention_weights, values)",
    "simple_self_attention": "(inputs)",
    "causal_mask": "(n)",
    "padding_mask": "(lengths, max_length)",
    "scaled_dot_product_attention": "(query, key, value, mask=None)",
    "tokenize": "(sentence)",
    "sentence_embed": "(sentence, embed_dict)",
    "load_glove_embeddings": "(glove_file)",
    "get_glove_embeddings": "(vocab, glove_embeddings, embed_dim)",
    "embed_sentence": "(sentence, embeddings)",
    "plot_attention": "(query_tokens, key_tokens, attn_matrix, ax=None)",
    "project_qkv": "(inp, wq, wk, wv)",
    "dot_attention": "(inp, wq, wk, wv)",
    "DotProductAttention": "() forward(queries, keys, values, mask=None)",
    "SelfAttention": "(d_in, d_k) forward(inp)",
    "TrainableAttention": "(num_in_features=300, num_out_features=256) forward(queries, keys, values)",
    "additive_scores": "(queries, keys, ws)",
    "AdditiveAttention": "(num_in_features=300, num_out_features=256) forward(queries, keys, values)",
    "split_heads": "(x, num_heads)",
    "merge_heads": "(x)",
    "ConcatMultiHeadAttention": "(d_in, d_k, num_heads) forward(inp)",
    "MultiHeadAttention": "(d_model, num_heads) forward(queries, keys, values, mask=None)",
}


def test_names_and_parameters_stay():
    found = {}
    for chapter in ("one_query", "all_queries", "embeddings", "qkv", "additive", "multi_head"):
        for exercise in read_chapter(chapter).exercises:
            thing = getattr(solution_module(chapter), exercise.name)
            if inspect.isclass(thing):
                made = "()" if thing.__init__ is torch.nn.Module.__init__ else str(inspect.signature(thing))
                forward = str(inspect.signature(thing.forward)).replace("(self, ", "(")
                found[exercise.name] = f"{made} forward{forward}"
            else:
                found[exercise.name] = str(inspect.signature(thing))
    assert found.items() >= SIGNATURES.items()  # there may be more


WRITTEN = [(chapter.name, exercise.name) for chapter, _ in graded_chapters() for exercise in chapter.exercises]


@pytest.mark.parametrize(("chapter", "exercise"), WRITTEN)
def test_the_examples_of_the_text_run(chapter, exercise):
    space = vars(solution_module(chapter))
    found = doctest.DocTestFinder(recurse=True).find(space[exercise], exercise, module=False, globs=space)
    runner, said = doctest.DocTestRunner(), []
    for test in found:
        runner.run(test, out=said.append)
    assert runner.tries > 0
    assert runner.failures == 0, "".join(said)
