"""Hidden suite of padding_mask: sizes, empty and full sentences, lists and tuples."""

import numpy as np
import pytest

from autograder.suite import ARRAY_LIKE, ARRAYS_STAY, EXAMPLES


def _row_of_each(mask, count):
    """Return the first row of each sentence's mask. Raises `ValueError` if its rows differ."""
    rows = mask.astype(int).reshape(count, -1, mask.shape[-1])
    if np.ptp(rows, axis=1).any():
        raise ValueError
    return rows[:, 0]


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer, solution):
    answer([2, 4, 1], 4).equals(solution([2, 4, 1], 4))


@pytest.mark.points(1, checks=["`True` for the first `lengths[i]` tokens of sentence i"])
def test_other_sizes(answer, solution, rng):
    for b, max_length in ((2, 5), (5, 3), (4, 4), (3, 1), (1, 6)):
        lengths = rng.integers(1, max_length, size=b, endpoint=True)
        answer(lengths, max_length).equals(solution(lengths, max_length))


@pytest.mark.points(1, checks=["possibly all sentences are shorter than `max_length`"])
def test_no_sentence_is_as_long_as_the_array(answer, solution):
    for lengths, max_length in (([3, 1, 2], 6), ([2], 5), ([1, 1], 2), ([3, 2, 1, 3], 4)):
        answer(np.array(lengths), max_length).equals(solution(lengths, max_length))


@pytest.mark.points(1, checks=["are between 0 and `max_length`"])
def test_empty_and_full_sentences(answer, solution):
    for lengths, max_length in (([0, 3, 1], 3), ([5, 0], 5), ([0], 2), ([4], 4), ([0, 0, 0], 4)):
        answer(np.array(lengths), max_length).equals(solution(lengths, max_length))


@pytest.mark.points(0.5, checks=[ARRAY_LIKE])
def test_lists_and_tuples(answer, solution):
    for lengths in ([3, 1], (2, 0, 4), np.array([1, 4, 2], dtype=np.int32)):
        answer(lengths, 5).equals(solution(lengths, 5))


@pytest.mark.points(0.5, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, solution):
    lengths = np.array([2, 5, 3])
    first = answer(lengths, 6).leaves_arguments_alone()
    answer(np.array([1, 4, 5]), 6).equals(solution([1, 4, 5], 6))
    first.still_equals(solution(lengths, 6))


@pytest.mark.points(0.5, checks=["True where the key is a real token."])
def test_words_come_first(answer):
    reply = answer(np.array([2, 3, 5]), 7)
    rows = "True before False in each row, and more of it for a longer sentence"
    reply.satisfies(lambda mask: (np.diff(_row_of_each(mask, 3)) <= 0).all(), rows)
    reply.satisfies(lambda mask: (np.diff(_row_of_each(mask, 3).sum(axis=-1)) > 0).all(), rows)


@pytest.mark.points(1, checks=["The number of real tokens at the start of each sentence"])
def test_as_many_as_a_sentence_has(answer):
    for lengths, max_length in (([2, 4, 1], 5), ([3, 6], 7)):
        counts = "one True for each word of a sentence"
        answer(lengths, max_length).satisfies(
            lambda mask, lengths=lengths: _row_of_each(mask, len(lengths)).sum(axis=-1).tolist() == lengths, counts
        )
