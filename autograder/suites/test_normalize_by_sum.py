"""Hidden suite of normalize_by_sum: sizes, negative scores, tiny sums, lists and integers."""

import numpy as np
import pytest

from autograder.suite import ARRAY_LIKE, ARRAYS_STAY, EXAMPLES

SCORES = [0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865]


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer):
    answer(SCORES).equals(np.array([0.1455, 0.2278, 0.2249, 0.1285, 0.1077, 0.1656]), rtol=1e-3)


@pytest.mark.points(1, checks=["Divide each score by the sum of the scores."])
def test_other_sizes(answer, solution, draw):
    for size in (1, 2, 5, 9):
        scores = draw(size, low=1, high=6)
        answer(scores).equals(solution(scores))
    mixed = np.array([4.0, -1.5, 2.0, -0.5])  # the weakness that the text demonstrates: weights may be negative
    answer(mixed).equals(np.array([1.0, -0.375, 0.5, -0.125]))
    answer(np.array([2.0, -1.0, -2.0])).equals(np.array([-2.0, 1.0, 2.0]))  # a negative sum inverts all signs
    answer(np.array([1e-7, 3e-7])).equals(np.array([0.25, 0.75]))  # nothing may be added to a small sum


@pytest.mark.points(1, checks=[ARRAY_LIKE])
def test_lists_and_integers(answer):
    answer([1, 2, 5]).equals(np.array([0.125, 0.25, 0.625]))
    answer(np.array([3, 1])).equals(np.array([0.75, 0.25]))
    answer((0.5, 1.5)).equals(np.array([0.25, 0.75]))
    answer(np.array([6, 2], dtype=np.float32)).equals(np.array([0.75, 0.25]))


@pytest.mark.points(0.5, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, draw):
    scores = draw(4, low=1, high=5)
    first = answer(scores).leaves_arguments_alone()
    answer(draw(4, low=1, high=5))
    first.still_equals(scores / scores.sum())


@pytest.mark.points(0.5, checks=["Numbers that sum to 1."])
def test_shares_of_one(answer, draw):
    scores = np.sort(draw(5, low=1, high=6)) + np.arange(5)
    reply = answer(scores).satisfies(lambda got: abs(got.sum() - 1) < 1e-6, "shares that add up to 1")
    reply.satisfies(lambda got: got.size == 5 and (np.diff(got.ravel()) > 0).all(), "a larger share for a larger score")


@pytest.mark.points(0.5, checks=["divide each score by the sum of all"])
def test_twice_the_score_has_twice_the_share(answer):
    scores = np.array([1.5, 3.0, 6.0, 0.75])
    reply = answer(scores).satisfies(np.any, "shares that are not all 0")
    reply.satisfies(lambda got: np.allclose(got / got.flat[0], scores / 1.5), "shares in proportion to the scores")
