"""Hidden suite of softmax: negative and large scores, shifted scores, lists and integers."""

import numpy as np
import pytest

from autograder.suite import ALL_DIGITS, ARRAY_LIKE, ARRAYS_STAY, EXAMPLES, FLOAT64

FEW_DIGITS = 2e-3  # in tests that do not check every digit


def _sums_to_one(weights):
    return np.isclose(weights.sum(), 1, atol=1e-5) and (weights >= 0).all()


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer):
    expected = np.array([0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581])
    answer([0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865]).equals(expected, rtol=1e-3)


@pytest.mark.points(1, checks=["Turn scores into weights that are positive and sum to 1."])
def test_other_sizes(answer, solution, draw):
    for size in (1, 2, 5, 8, 130):
        scores = draw(size)
        answer(scores).equals(solution(scores)).satisfies(_sums_to_one, "weights that are positive and sum to 1")


@pytest.mark.points(0.5, checks=["a function that turns *any* number into a positive one and preserves the order"])
def test_negative_scores(answer, solution):
    for scores in ([-1.0, -2.5, -0.25], [2.0, -1.0, -2.0], [1.0, -1.0], [0.0, 0.0, 0.0, 0.0]):
        answer(np.array(scores)).equals(solution(scores), rtol=FEW_DIGITS)


@pytest.mark.points(1.5, checks=["for scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution):
    answer([927, 397, 148, 929]).equals(solution([927, 397, 148, 929]))
    # The last two are not exact in float32.
    near = [10000.3, 10000.1, 9999.7]
    for scores in (
        [10000.0, 9998.0, -10000.0],
        [-10000.0, -10001.0, -9999.5],
        [0.0, 10000.0],
        near,
        [-3333.3, -3333.4],
    ):
        answer(np.array(scores)).equals(solution(scores))


@pytest.mark.points(2, checks=["for scores between -1,000,000 and 1,000,000"])
def test_very_large_scores(answer, solution):
    # e**20000 overflows even in extended precision (float128).
    for scores in ([-20000.0, -20001.0, -20002.0], [20000.0, 19999.0, 3.0], [65536.0, 65535.5], [6e4, -6e4]):
        answer(np.array(scores)).equals(solution(scores), rtol=FEW_DIGITS)
    for scores in ([1_000_000, 999_999, 0], [-999_999, -1_000_000, -1_000_000]):
        answer(scores).equals(solution(scores), rtol=FEW_DIGITS)


@pytest.mark.points(
    0.75,
    checks=["Only the *differences* of the scores count", "do not add a small constant to the sum, and do not round"],
)
def test_a_shift_changes_nothing(answer, draw, solution):
    scores = draw(6)
    expected = solution(scores)
    for shift in (-64.0, 8.0, 512.0):
        answer(scores + shift).equals(expected, rtol=FLOAT64)
    scores = np.array([-300.0, 0.0, -18.5, -40.0])
    expected = solution(scores)

    def have_all_digits(weights):
        sums = weights.sum(axis=-1)
        return np.allclose(weights / expected, 1, atol=1e-6) and np.abs(sums - 1).max() < ALL_DIGITS

    reply = answer(scores).equals(expected, rtol=FLOAT64)
    reply.satisfies(have_all_digits, "weights correct to all digits, even tiny ones")


@pytest.mark.points(0.25, checks=[ARRAY_LIKE])
def test_lists_and_integers(answer, solution):
    # The exercise does not mention unsigned integers and Booleans, which scores never are, so they are not tested.
    for scores in ([1, 2, 3], (0.5, -0.5), np.array([3, 1, 2, 0]), np.array([1.5, 0.25], dtype=np.float32)):
        answer(scores).equals(solution(scores), rtol=FEW_DIGITS)


@pytest.mark.points(0.5, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, solution, draw):
    scores = draw(5)
    first = answer(scores).leaves_arguments_alone()
    answer(draw(5))
    first.still_equals(solution(scores), rtol=FEW_DIGITS)


@pytest.mark.points(1, checks=["a larger score gets a larger weight"])
def test_weights_are_shares(answer, draw):
    # This test also passes with another base or changed differences, which other tests reveal.
    for size in (3, 6):
        scores = draw(size, exact=False)

        def follow(weights, scores=scores):
            return (np.argsort(np.ravel(weights)) == np.argsort(scores)).all()

        reply = answer(scores).satisfies(_sums_to_one, "weights that are positive and sum to 1")
        reply.satisfies(follow, "a larger weight for a larger score")
