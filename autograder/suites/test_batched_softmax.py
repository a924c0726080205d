"""Hidden suite of batched_softmax: any axis, large scores, rows far apart, lists and integers."""

import numpy as np
import pytest

from autograder.suite import ALL_DIGITS, ARRAY_LIKE, ARRAYS_STAY, EXAMPLES, FLOAT64

SCORES = [
    [0.9995, 0.9544, 0.9422, 0.4753, 0.4576, 0.6310],
    [0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865],
    [0.9422, 1.4754, 1.4570, 0.8296, 0.7154, 1.0605],
]


@pytest.mark.points(1, checks=[EXAMPLES])
def test_journey(answer, solution):
    answer(SCORES).equals(solution(SCORES))


@pytest.mark.points(1, checks=["Turn scores into weights that are positive and sum to 1 along one axis."])
def test_other_sizes(answer, solution, draw):
    for shape in ((3, 5), (2, 3, 4), (2, 2, 3, 5), (4,), (3, 1), (1, 6), (4, 4)):
        x = draw(*shape)
        answer(x).equals(solution(x)).satisfies(_rows_are_weights, "rows of positive weights that sum to 1")


def _rows_are_weights(weights):
    return (weights >= 0).all() and np.allclose(weights.sum(axis=-1), 1, atol=1e-5)


@pytest.mark.points(1, checks=["any of them as `axis`, counted from the front or from the end"])
def test_any_axis(answer, solution, draw):
    # Axis 1 comes first: `axis or -1` passes there, but always using the last axis fails.
    for shape, axes in (((2, 3, 4), (1, -2, 2, -1, 0, -3)), ((3, 5), (0, 1, -2)), ((3, 3), (0, 1)), ((5,), (0,))):
        x = draw(*shape)
        for axis in axes:
            answer(x, axis).equals(solution(x, axis))


# Most tests below pass the axis, so that a wrong default costs hardly any more points.
@pytest.mark.points(1, checks=["scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution):
    for x in ([[927.0, 397.0], [148.0, 929.0]], [[10000.0, 9998.5, -10000.0], [-10000.0, -10001.0, -9999.0]]):
        answer(np.array(x), -1).equals(solution(x))
        answer(np.array(x), 0).equals(solution(x, 0))
    x = [[10000.3, 10000.1, 9999.7], [-3333.3, -3333.4, -3333.35]]  # not exact in float32
    answer(np.array(x), -1).equals(solution(x))


@pytest.mark.points(1, checks=["scores between -1,000,000 and 1,000,000"])
def test_very_large_scores(answer, solution):
    # e**20000 overflows even in extended precision (float128).
    for x in ([[20000.0, 19999.0, 3.0], [65536.0, 65535.5, 65534.0]], [[-20000.0, -20001.0], [-30000.0, -30000.5]]):
        answer(np.array(x), -1).equals(solution(x))
    x = [[1_000_000, 999_999, 0], [0, 1, 2], [-1_000_000, -999_999, -1_000_000]]
    answer(x, -1).equals(solution(x))


@pytest.mark.points(1, checks=["even far apart in the same array"])
def test_rows_far_apart(answer, solution, draw):
    # Subtracting the largest maximum from all rows would make all exponentials of another row 0.
    for shift in (500.0, 1024.0, 20000.0):
        x = draw(3, 4) + np.array([[shift], [0.0], [-shift]])
        answer(x, -1).equals(solution(x))
        answer(x.T, 0).equals(solution(x.T, 0))


@pytest.mark.points(1, checks=["plain float64 to its full accuracy, so add nothing to the sums"])
def test_a_shift_of_a_row_changes_nothing(answer, solution, draw):
    x = draw(2, 3, 5)
    expected = solution(x)
    answer(x + draw(2, 3, 1, low=-64, high=64), -1).equals(expected, rtol=FLOAT64)
    x = np.array([[-300.0, 0.0, -18.5, -40.0], [2.0, -25.0, 1.0, -90.0]])
    expected = solution(x)

    def have_all_digits(weights):
        sums = weights.sum(axis=-1)
        return np.allclose(weights / expected, 1, atol=1e-6) and np.abs(sums - 1).max() < ALL_DIGITS

    reply = answer(x, -1).equals(expected, rtol=FLOAT64)
    reply.satisfies(have_all_digits, "weights correct to all digits, even tiny ones")


@pytest.mark.points(1, checks=[ARRAY_LIKE])
def test_lists_and_integers(answer, solution):
    for x in ([[1, 2, 3], [0, 5, -1]], ((0.5, -0.5), (2.0, 1.0)), np.array([[3, 1], [2, 0], [4, 4]])):
        answer(x).equals(solution(x))
    answer([[1, 2, 3], [0, 5, -1]], 0).equals(solution([[1, 2, 3], [0, 5, -1]], 0))
    answer(np.array([[1.5, 0.25]], dtype=np.float32)).equals(solution([[1.5, 0.25]]))


@pytest.mark.points(1, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, solution, draw):
    x = draw(3, 5)
    first = answer(x, -1).leaves_arguments_alone()
    answer(draw(3, 5), -1)
    first.still_equals(solution(x))
