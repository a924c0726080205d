"""Hidden suite of SelfAttentionBlock: padding, gradients, `eps`, and weights loaded from a checkpoint."""

import numpy as np
import pytest

from autograder.suite import APART, EXAMPLES, STATE, TENSORS_STAY, Mismatch, as_array
from autograder.suite.modules import SMALL, build, compare_modules, expected_of, tensor

SIZES = (6, 2)
NEAR = 1e-4  # tolerance in float32 for sums, and for results that should be equal in two calls


def _shapes(d_model):
    linear = {"weight": (d_model, d_model), "bias": (d_model,)}
    shapes = {f"attention.{name}.{part}": linear[part] for name in ("Wq", "Wk", "Wv", "Wo") for part in linear}
    return shapes | {"norm.weight": (d_model,), "norm.bias": (d_model,)}


def _weights(draw, d_model):
    return {name: draw(*shape, **SMALL) for name, shape in _shapes(d_model).items()}


def _is_word(*lengths, n=5):
    """Return the mask of sentences with these lengths, padded to `n` tokens: True for words, False for padding."""
    return np.arange(n) < np.reshape(lengths, (-1, 1))


def _compare(answer, solution, draw, sizes, *several, dtype="float32"):
    compare_modules(answer, solution, sizes, _weights(draw, sizes[0]), *several, dtype=dtype)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    x, is_word = np.array([[2, 0, 0, 1], [0, 3, 1, 0], [1, 1, 5, 4]]), np.array([True, True, False])
    weights = {name: np.zeros(shape) for name, shape in _shapes(4).items()} | {"norm.weight": np.ones(4)}
    for name, factor in (("Wq", 1), ("Wk", 1), ("Wv", 1), ("Wo", 2)):
        weights[f"attention.{name}.weight"] = factor * np.eye(4)
    compare_modules(answer, solution, (4, 2), weights, (x, is_word), dtype="float64")


@pytest.mark.points(1.5, checks=["names and shapes of the parameters"])
def test_parameters(answer, draw):
    for sizes in ((6, 2), (4, 4)):
        block = build(answer, sizes, _weights(draw, sizes[0])).has_parameters(_shapes(sizes[0]))
        block(tensor(draw(5, sizes[0])), tensor(_is_word(3)[0])).leaves_arguments_alone()
        block.has_parameters(_shapes(sizes[0]))


@pytest.mark.points(1.5, checks=["Let the tokens of each sentence attend to its words, and add what they find."])
def test_sentences_without_padding(answer, solution, draw):
    # One head, heads of width 1, one token, and equal numbers of sentences and heads.
    for batch, n, sizes in (((), 3, (4, 1)), ((3,), 5, SIZES), ((2, 3), 4, (6, 3)), ((), 1, (4, 4)), ((2,), 3, SIZES)):
        _compare(answer, solution, draw, sizes, (draw(*batch, n, sizes[0], **SMALL), np.ones((*batch, n), dtype=bool)))


@pytest.mark.points(1.5, checks=["False for padding, to which no token may attend."])
def test_padding(answer, solution, draw):
    for sizes in ((8, 4), (6, 3)):  # equal numbers of heads and sentences, and more heads
        _compare(answer, solution, draw, sizes, (draw(3, 5, sizes[0], **SMALL), _is_word(5, 2, 4)))
    several = [(draw(3, 5, 6, **SMALL), _is_word(5, 2, 4)), (draw(5, 5, 6, **SMALL), _is_word(1, 5, 3, 2, 4))]
    _compare(answer, solution, draw, SIZES, *several)


@pytest.mark.points(1, checks=["any leading batch dimensions, or none"])
def test_padding_in_other_batches(answer, solution, draw):
    several = [(draw(5, 6, **SMALL), _is_word(3)[0])]
    several.append((draw(2, 3, 5, 6, **SMALL), _is_word(5, 2, 4, 1, 3, 4).reshape(2, 3, 5)))
    several.append((draw(2, 5, 6, **SMALL), _is_word(2, 4)[:, ::-1]))  # padding in front
    _compare(answer, solution, draw, SIZES, *several)


@pytest.mark.points(1, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    # Scores above the 709 at which exp overflows, and below the 10,000 that some answers use to hide keys.
    _compare(answer, solution, draw, SIZES, (8 * draw(2, 5, 6), _is_word(5, 5)), dtype="float64")


@pytest.mark.points(0.5, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_low_scores_beside_padding(answer, solution, draw):
    # Scores of both heads are near -3000, where a fill of -100 would be the largest. Then scores of words are near
    # -5000 and those of padding near 7000, which is the largest even after subtracting 10,000.
    weights = {name: 0 * weight for name, weight in _weights(draw, 4).items()} | {"norm.weight": np.ones(4)}
    weights |= {f"attention.{name}.weight": sign * np.eye(4) for name, sign in (("Wq", 1), ("Wk", -1), ("Wo", 1))}
    weights["attention.Wv.weight"] = draw(4, 4)
    apart, is_word = np.array([0, 1, -1, 2, 0.5])[:, None] / 64 + draw(2, 5, 4) / 256, _is_word(5, 3)
    other = np.where(is_word[..., None], 60, -80) + apart
    compare_modules(answer, solution, (4, 2), weights, (46 + apart, is_word), (other, is_word), dtype="float64")


@pytest.mark.points(2, checks=["rows of weights that sum to 1"])
def test_words_attend_to_words(answer, draw):
    """Check that words attend only to words, with the block's initial weights under any names."""
    for sizes in (SIZES, (4, 1)):
        block = answer.build(*sizes)
        for lengths in ((5, 2, 4), (3,)):
            x, is_word = draw(len(lengths), 5, sizes[0], **SMALL), _is_word(*lengths)
            reply = block(tensor(x), tensor(is_word))
            if not isinstance(reply.value, (tuple, list)) or len(reply.value) != 2:
                reply.fails("should return two results")
            weights = _array(reply, reply.value[1], (len(lengths), sizes[1], 5, 5))
            to_padding = np.where(is_word[:, None, None, :], 0, weights)
            of_words, of_words_to_padding = (np.swapaxes(each, 1, 2)[is_word] for each in (weights, to_padding))
            if not np.allclose(of_words.sum(axis=-1), 1, atol=NEAR) or (of_words < 0).any():
                reply.fails("should return weights that are not negative and sum to 1 for each word")
            if (of_words_to_padding > NEAR).any():
                reply.fails("should return weights that are 0 where a key is padding")


@pytest.mark.points(1, checks=["False for padding, to which no token may attend."])
def test_nobody_reads_padding(answer, draw):
    """Check that padding does not affect the outputs of words, whether or not the block returns weights."""
    for sizes in (SIZES, (4, 1)):
        block, x, is_word = answer.build(*sizes), draw(3, 5, sizes[0], **SMALL), _is_word(5, 2, 4)
        padding, others = draw(3, 5, sizes[0]), draw(3, 5, sizes[0])
        outputs = []
        for tokens in (x, np.where(is_word[..., None], x, padding), np.where(_is_word(1, 1, 1)[..., None], x, others)):
            reply = block(tensor(tokens), tensor(is_word))
            output = _array(reply, reply.value[0] if isinstance(reply.value, (tuple, list)) else reply.value, x.shape)
            outputs.append(output)
        before, with_other_padding, with_other_words = outputs
        if not np.allclose(before[is_word], with_other_padding[is_word], rtol=NEAR, atol=NEAR):
            reply.fails("returned different results for the words when only the padding changed")
        if np.allclose(before[:, 0], with_other_words[:, 0], rtol=0, atol=1e-6):  # Initial weights may be small.
            reply.fails("returned the same result for the first word although all other words changed")


def _array(reply, value, shape):
    """Return `value`, one of the results in a reply, as an array, and require this shape."""
    try:
        array = np.asarray(as_array(value))
    except Mismatch as mismatch:
        reply.fails(mismatch.sentence)
    if array.shape != shape:
        reply.fails(f"returned shape {array.shape}, expected shape {shape}", "shape")
    return array


@pytest.mark.points(1, checks=["with an eps of 1e-12"])
def test_eps(answer, solution, draw):
    # Tokens whose numbers hardly differ: their variance is far below torch's default eps, and far above 1e-12.
    weights = _weights(draw, 6)
    weights["attention.Wo.weight"], weights["attention.Wo.bias"] = np.zeros((6, 6)), np.zeros(6)
    compare_modules(answer, solution, SIZES, weights, (1 + draw(5, 6) / 2**14, _is_word(5)[0]), dtype="float64")


@pytest.mark.points(1, checks=["gradients for all weights"])
def test_gradients(answer, solution, draw):
    # Heads of width 1 have a scale of 1, so a missing scale costs no points here.
    _compare_gradients(answer, solution, draw, (6, 6), _is_word(5, 5))


@pytest.mark.points(0.5, checks=["gradients for all weights"])
def test_gradients_with_padding(answer, solution, draw):
    _compare_gradients(answer, solution, draw, SIZES, _is_word(5, 3))


def _compare_gradients(answer, solution, draw, sizes, is_word):
    weights, inputs = _weights(draw, 6), (tensor(draw(2, 5, 6, **SMALL), "float64"), tensor(is_word))
    block, same = (build(thing, sizes, weights, "float64") for thing in (answer, solution))
    block.gradients(*inputs).flows_like(same.gradients(*inputs))


@pytest.mark.points(1.5, checks=[STATE])
def test_state_is_loaded_as_from_a_checkpoint(answer, solution, draw):
    weights, x, is_word = _weights(draw, 6), draw(2, 5, 6, **SMALL), _is_word(5, 5)
    block = answer.build(6, 6)
    block.method("load_state_dict", {name: tensor(weight) for name, weight in weights.items()}).leaves_arguments_alone()
    block(tensor(x), tensor(is_word)).equals(expected_of(solution, (6, 6), weights, x, is_word))


@pytest.mark.points(1, checks=[TENSORS_STAY, APART])
def test_calls_do_not_depend_on_each_other(answer, solution, draw):
    weights = _weights(draw, 6)
    (x, is_word), (other, other_is_word) = (
        (draw(2, 5, 6, **SMALL), _is_word(5, 5)),
        (draw(2, 3, 4, 6), np.ones((2, 3, 4), dtype=bool)),
    )
    block, expected = build(answer, SIZES, weights, by_name=False), expected_of(solution, SIZES, weights, x, is_word)
    answer(6, 3)
    first = block(tensor(x), tensor(is_word)).leaves_arguments_alone()
    apart = tensor(other, apart=True), tensor(other_is_word, apart=True)
    block(*apart).equals(expected_of(solution, SIZES, weights, other, other_is_word))
    first.still_equals(expected)
    block(tensor(x), tensor(is_word)).equals(expected)
