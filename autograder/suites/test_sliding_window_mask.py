"""Hidden suite of sliding_window_mask: windows from a single word to more than the text."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, TENSORS_STAY


def _agrees(answer, solution, *sizes):
    for n, window in sizes:
        answer(n, window).equals(solution(n, window))


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer, solution):
    _agrees(answer, solution, (5, 3), (4, 1), (4, 9))


@pytest.mark.points(0.5, checks=["a Boolean mask of shape `(n, n)`"])
def test_other_sizes(answer, solution):
    _agrees(answer, solution, (7, 4), (12, 2), (9, 5), (6, 5), (40, 17), (290, 20))


@pytest.mark.points(0.25, checks=["for any window of 1 or more, even if it is larger than the text"])
def test_smallest_and_largest_windows(answer, solution):
    # Windows of one word, as long as the text, longer, and far longer.
    _agrees(answer, solution, (5, 1), (1, 1), (1, 3), (6, 6), (6, 7), (3, 100))


@pytest.mark.points(0.25, checks=[TENSORS_STAY])
def test_results_stay(answer, solution):
    first = answer(6, 3).equals(solution(6, 3))
    answer(6, 2).equals(solution(6, 2))
    first.still_equals(solution(6, 3))
    answer(4, 2).is_new_each_time(solution(4, 2))


@pytest.mark.points(0.5, checks=["a Boolean mask of shape `(n, n)`"])
def test_itself_and_nothing_later(answer):
    distance = np.subtract.outer(np.arange(11), np.arange(11))
    reply = answer(11, 4)
    reply.satisfies(lambda mask: mask.shape == (11, 11) and mask.dtype == bool, "a Boolean tensor of shape (11, 11)")
    reply.satisfies(lambda mask: mask[distance == 0].all(), "True for each word itself")
    reply.satisfies(lambda mask: not mask[distance < 0].any(), "False for later words")


@pytest.mark.points(0.75, checks=["The number of words that a word sees, including itself"])
def test_near_and_far(answer):
    """Check that a word sees itself and the one before it, but no later or distant ones, in any kind of window."""
    distance = np.subtract.outer(np.arange(20), np.arange(20))
    near, far = (distance == 0) | (distance == 1), (distance < 0) | (distance > 8)
    reply = answer(20, 5).satisfies(lambda mask: mask[near].all(), "True for each word and the one before it")
    reply.satisfies(lambda mask: not mask[far].any(), "False for later words and for much earlier ones")


@pytest.mark.points(1, checks=["True where row i may attend to column j: from i - window + 1 to i."])
def test_what_lies_behind(answer, solution):
    right = "in each row, up to the word itself, the words of its window"
    for n, window in ((9, 4), (12, 2), (6, 6), (5, 1)):
        expected = np.tril(solution(n, window).array)
        answer(n, window).satisfies(lambda mask, expected=expected: (np.tril(mask) == expected).all(), right)


@pytest.mark.points(0.25, checks=["True where row i may attend to column j: from i - window + 1 to i."])
def test_whole_windows(answer, solution):
    expected = solution(9, 4).array[3:]
    right = "the words of a whole window, in the rows that have one"
    answer(9, 4).satisfies(lambda mask: (mask[3:] == expected).all(), right)
