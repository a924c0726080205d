"""Hidden suite of next_token_loss: shifted targets, padding, texts without targets, large logits and gradients."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES
from autograder.suite.modules import SMALL, tensor


def _texts(draw, rng, b, n, c, **how):
    """Return logits (b, n, c) and tokens (b, n), among which each of the c tokens occurs if there is room."""
    tokens = np.resize(rng.permutation(c), b * n)
    return draw(b, n, c, **(how or SMALL)), rng.permutation(tokens).reshape(b, n)


def _compare(answer, solution, logits, tokens, *mask, dtype="float32"):
    masks = [tensor(each) for each in mask]
    expected = solution(tensor(logits, "float64"), tensor(tokens, "int64"), *masks)
    answer(tensor(logits, dtype), tensor(tokens, "int64"), *masks).leaves_arguments_alone().equals(expected)


def _real(lengths, n):
    """Return the mask of texts with these lengths, padded to `n` tokens: True for tokens, False for padding."""
    return np.arange(n) < np.reshape(lengths, (-1, 1))


@pytest.mark.points(1.5, checks=["The mean cross-entropy of the logits at p against the token at p + 1"])
def test_every_guess_against_the_next_token(answer, solution, draw, rng):
    for b, n, c in ((2, 5, 7), (1, 2, 3), (4, 3, 2), (3, 6, 3), (1, 9, 11), (3, 3, 3)):
        _compare(answer, solution, *_texts(draw, rng, b, n, c))


TOKENS, SURE = np.array([[0, 1, 2, 1]]), np.broadcast_to([0.0, 10.0, 0.0], (1, 4, 3))


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_examples(answer, solution):
    _compare(answer, solution, np.zeros((1, 4, 3)), TOKENS)
    # In double precision: float32 keeps few digits of a loss that is nearly 0.
    _compare(answer, solution, SURE, TOKENS, dtype="float64")


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example_with_padding(answer, solution):
    _compare(answer, solution, SURE, TOKENS, np.array([[True, True, False, False]]), dtype="float64")


@pytest.mark.points(1, checks=["A guess counts only if its *target* is a real token"])
def test_targets_that_are_padding_do_not_count(answer, solution, draw, rng):
    for lengths, n, c in (((5, 3, 3), 5, 7), ((2, 6), 6, 4), ((4,), 7, 3), ((1, 5, 3, 4), 5, 5)):
        _compare(answer, solution, *_texts(draw, rng, len(lengths), n, c), _real(lengths, n))
    # Padding at the front, and gaps: a prediction counts if its target is real, at any position.
    _compare(answer, solution, *_texts(draw, rng, 2, 6, 5), _real((3, 5), 6)[:, ::-1].copy())
    holes = np.array([[True, False, True, True, False], [False, True, False, False, True]])
    _compare(answer, solution, *_texts(draw, rng, 2, 5, 4), holes)
    # No padding.
    _compare(answer, solution, *_texts(draw, rng, 2, 4, 6), _real((4, 4), 4))


@pytest.mark.points(0.5, checks=["0 where no target is real"])
def test_nothing_to_guess_is_no_loss(answer, solution, draw, rng):
    logits, tokens = _texts(draw, rng, 3, 4, 5)
    for lengths in ((1, 1, 1), (0, 0, 0)):
        _compare(answer, solution, logits, tokens, _real(lengths, 4))


def _large(answer, solution, draw, rng, *mask):
    for size in (1e3, 1e5):
        logits, tokens = _texts(draw, rng, 3, 5, 6, exact=False)
        logits[0, 0, tokens[0, 1]] = -4  # A wrong guess: digits of a loss of nearly 0 would be lost.
        _compare(answer, solution, size * logits, tokens, *mask, dtype="float64")


@pytest.mark.points(1.5, checks=["logits between -1,000,000 and 1,000,000"])
def test_large_logits(answer, solution, draw, rng):
    _large(answer, solution, draw, rng)


@pytest.mark.points(1.5, checks=["logits between -1,000,000 and 1,000,000"])
def test_large_logits_with_padding(answer, solution, draw, rng):
    _large(answer, solution, draw, rng, _real((5, 4, 3), 5))


def _flows(answer, solution, draw, rng, *mask):
    logits, tokens = _texts(draw, rng, 2, 5, 4)
    inputs = tensor(logits, "float64"), tensor(tokens, "int64"), *map(tensor, mask)
    answer.gradients(*inputs).flows_like(solution.gradients(*inputs))


@pytest.mark.points(0.5, checks=["gradients that reach the logits"])
def test_gradients_reach_the_logits(answer, solution, draw, rng):
    _flows(answer, solution, draw, rng)


@pytest.mark.points(0.5, checks=["and none where a target is padding"])
def test_gradients_with_padding(answer, solution, draw, rng):
    _flows(answer, solution, draw, rng, _real((3, 5), 5))
