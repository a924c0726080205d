"""Hidden suite of shift_right: integer tokens, no batch axis or several, and the start word."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, TENSORS_STAY
from autograder.suite.modules import tensor


def _agrees(answer, solution, targets, start):
    targets = tensor(targets, "int64")
    return answer(targets, start).leaves_arguments_alone().equals(solution(targets, start))


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer, solution):
    _agrees(answer, solution, [[1, 0, 2], [5, 0, 4]], 9)
    _agrees(answer, solution, [7, 8, 7, 6], 0)


@pytest.mark.points(0.75, checks=["whole numbers, for sentences of one word or more"])
def test_whole_numbers(answer):
    # Other tests check the positions of the words.
    for targets in ([[1, 0, 2], [5, 0, 4]], [7, 8, 7, 6]):
        known, shape = [*np.ravel(targets), 9], np.shape(targets)
        reply = answer(tensor(targets, "int64"), 9)
        reply.satisfies(lambda words: words.dtype.kind in "iu", "integers, which `nn.Embedding` can look up")
        reply.satisfies(lambda words, shape=shape: words.shape == shape, f"as many words as were given, {shape}")
        reply.satisfies(
            lambda words, known=known: np.isin(words, known).all(), "only the given words and the start word"
        )
        reply.satisfies(lambda words: ((words == 9).sum(axis=-1) == 1).all(), "the start word once in each sentence")


@pytest.mark.points(0.75, checks=["for sentences of one word or more"])
def test_one_sentence(answer, solution, rng):
    for n in (4, 1, 2, 5):
        _agrees(answer, solution, rng.permutation(n) + 1, 0)


@pytest.mark.points(0.5, checks=["for sentences of one word or more"])
def test_other_lengths(answer, solution, rng):
    for size, n in ((5, 4), (3, 7), (4, 4), (2, 1), (1, 1), (1, 6)):
        _agrees(answer, solution, rng.permutation(size * n).reshape(size, n), 99)


@pytest.mark.points(0.5, checks=["with any number of leading batch dimensions, or none"])
def test_more_batch_axes(answer, solution, rng):
    for shape in ((2, 3, 4), (3, 3, 3), (1, 2, 5), (2, 1, 3, 2)):
        _agrees(answer, solution, rng.permutation(int(np.prod(shape))).reshape(shape), 70)


@pytest.mark.points(0.25, checks=[TENSORS_STAY])
def test_results_stay(answer, rng):
    first, second = (tensor(rng.integers(0, 9, (3, 4)), "int64") for _ in range(2))
    reply = answer(first, 9).leaves_arguments_alone()
    words = tensor(reply.array.copy(), "int64")
    answer(second, 8)
    reply.still_equals(words)


@pytest.mark.points(0.25, checks=["The start word, then all words but the last."])
def test_the_start_comes_first(answer, rng):
    targets = rng.permutation(12).reshape(3, 4)
    reply = answer(tensor(targets, "int64"), 99)
    reply.satisfies(
        lambda words: (words[..., 0] == 99).all() and words.shape == (3, 4), "the start word at the first position"
    )
    reply.satisfies(lambda words: np.isin(words[..., -1], targets).all(), "words of the sentence at the last position")


@pytest.mark.points(0.5, checks=["The start word, then all words but the last."])
def test_the_others_move_by_one(answer, rng):
    targets = rng.permutation(12).reshape(3, 4)
    reply = answer(tensor(targets, "int64"), 99)
    reply.satisfies(lambda words: (words[..., 1:] == targets[..., :-1]).all(), "each word one position later")
