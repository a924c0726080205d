"""Hidden suite of causal_mask."""

import numpy as np
import pytest


@pytest.mark.points(1)
def test_example(answer, solution):
    answer(3)  # so that a mask that is kept from the first call is none of 4 tokens
    answer(4).equals(solution(4))


@pytest.mark.points(1.5)
def test_other_sizes(answer, solution, rng):
    for n in (2, 3, 7, int(rng.integers(8, 40)), 130):
        answer(n).equals(solution(n))


@pytest.mark.points(0.5)
def test_one_token(answer):
    answer(1).equals(np.array([[True]]))


@pytest.mark.points(1)
def test_results_stay(answer, solution):
    first, second = answer(5), answer(3)
    answer(6)
    first.still_equals(solution(5))
    second.still_equals(solution(3))
    answer(4).is_new_each_time(solution(4))
