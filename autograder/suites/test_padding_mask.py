"""Hidden suite of padding_mask."""

import numpy as np
import pytest


@pytest.mark.points(1)
def test_example(answer, solution):
    answer([2, 4, 1], 4).equals(solution([2, 4, 1], 4))


@pytest.mark.points(1)
def test_other_sizes(answer, solution, rng):
    for b, max_length in ((2, 5), (5, 3), (4, 4), (3, 1), (1, 6)):
        lengths = rng.integers(1, max_length, size=b, endpoint=True)
        answer(lengths, max_length).equals(solution(lengths, max_length))


@pytest.mark.points(1)
def test_no_sentence_is_as_long_as_the_array(answer, solution):
    for lengths, max_length in (([3, 1, 2], 6), ([2], 5), ([1, 1], 2), ([3, 2, 1, 3], 4)):
        answer(np.array(lengths), max_length).equals(solution(lengths, max_length))


@pytest.mark.points(1)
def test_empty_and_full_sentences(answer, solution):
    for lengths, max_length in (([0, 3, 1], 3), ([5, 0], 5), ([0], 2), ([4], 4), ([0, 0, 0], 4)):
        answer(np.array(lengths), max_length).equals(solution(lengths, max_length))


@pytest.mark.points(1)
def test_lists_and_tuples(answer, solution):
    for lengths in ([3, 1], (2, 0, 4), np.array([1, 4, 2], dtype=np.int32)):
        answer(lengths, 4).equals(solution(lengths, 4))


@pytest.mark.points(1)
def test_inputs_stay(answer, solution):
    lengths = np.array([2, 5, 3])
    first = answer(lengths, 5).leaves_arguments_alone()
    answer(np.array([1, 4, 5]), 5).equals(solution([1, 4, 5], 5))
    first.still_equals(solution(lengths, 5))
