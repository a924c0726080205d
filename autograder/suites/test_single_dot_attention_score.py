"""Hidden suite of single_dot_attention_score: sizes, a single unit, lists and integers."""

import numpy as np
import pytest

from autograder.suite import ARRAY_LIKE, ARRAYS_STAY, EXAMPLES, SIZES


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer):
    answer([5, 1, 20], [3, 12, 45]).equals(927.0)
    answer([0.55, 0.87, 0.66], [0.43, 0.15, 0.89]).equals(0.9544)


@pytest.mark.points(1.5, checks=["multiply the two vectors number by number, and add up the products"])
def test_other_sizes(answer, solution, draw):
    for size in (1, 2, 4, 7):
        state, annotation = draw(size), draw(size)
        answer(state, annotation).equals(solution(state, annotation))


@pytest.mark.points(0.5, checks=[ARRAY_LIKE])
def test_lists_and_integers(answer):
    answer([2.5, 4.5], [3.5, 1.5]).equals(15.5)  # 10 if the inputs are truncated to integers
    answer(np.array([1, 0, 2]), np.array([0.5, 9, 4])).equals(8.5)  # Integers would lose the fraction.
    answer(np.array([0.5, -1]), np.array([3, 4])).equals(-2.5)
    answer([0.5, 3, 2], np.array([1, -0.5, 0.25], dtype=np.float32)).equals(-0.5)


@pytest.mark.points(0.5, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, solution, draw):
    state, annotation = draw(5), draw(5)
    answer(state, annotation).leaves_arguments_alone().equals(solution(state, annotation))
    other, another = draw(5), draw(5)
    answer(other, another).equals(solution(other, another))


@pytest.mark.points(0.5, checks=[ARRAY_LIKE])
def test_whole_numbers(answer):
    answer(np.array([7, -3, 2, 5]), np.array([1, 4, -6, 2])).equals(-7.0)
    answer((1, 0, 2), (3, 9, 4)).equals(11.0)


@pytest.mark.points(0.5, checks=[SIZES])
def test_one_unit(answer, draw):
    for _ in range(2):
        (one,), (other,) = draw(1), draw(1)
        answer([one], [other]).equals(one * other)
