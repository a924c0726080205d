"""Hidden suite of causal_mask: sizes, a single token, distant tokens, and results that later calls leave unchanged."""

import numpy as np
import pytest

from autograder.suite import ARRAYS_STAY, EXAMPLES


@pytest.mark.points(0.75, checks=[EXAMPLES])
def test_example(answer, solution):
    answer(3)  # so that a mask cached in the first call never has 4 tokens
    answer(4).equals(solution(4))


@pytest.mark.points(1.25, checks=["for any n of 1 or more"])
def test_other_sizes(answer, solution, rng):
    for n in (2, 3, 7, int(rng.integers(8, 40)), 130):
        answer(n).equals(solution(n))


@pytest.mark.points(0.5, checks=["for any n of 1 or more"])
def test_one_token(answer):
    answer(1).equals(np.array([[True]]))


@pytest.mark.points(0.75, checks=["a Boolean array (`True` and `False`, not 1.0 and 0.0) of shape `(n, n)`"])
def test_far_back_and_far_ahead(answer):
    # Other tests check whether a token sees itself or the next one.
    distance = np.subtract.outer(np.arange(9), np.arange(9))
    reply = answer(9).satisfies(
        lambda mask: mask.shape == (9, 9) and mask.dtype == bool, "a Boolean array of shape (9, 9)"
    )
    reply.satisfies(lambda mask: mask[distance > 1].all(), "True for much earlier tokens")
    reply.satisfies(lambda mask: not mask[distance < -1].any(), "False for much later tokens")


@pytest.mark.points(0.75, checks=[ARRAYS_STAY])
def test_results_stay(answer, solution):
    first, second = answer(5), answer(3)
    answer(6)
    first.still_equals(solution(5))
    second.still_equals(solution(3))
    answer(4).is_new_each_time(solution(4))
