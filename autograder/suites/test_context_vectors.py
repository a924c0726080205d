"""Hidden suite of context_vectors: sizes, square arrays, batches, lists, integers, and weights that do not sum to 1."""

import numpy as np
import pytest

from autograder.suite import ARRAY_LIKE, ARRAYS_STAY, EXAMPLES

WEIGHTS = [
    [0.2098, 0.2006, 0.1981, 0.1242, 0.1220, 0.1452],
    [0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581],
    [0.1390, 0.2369, 0.2326, 0.1242, 0.1108, 0.1565],
    [0.1435, 0.2074, 0.2046, 0.1462, 0.1263, 0.1720],
    [0.1526, 0.1958, 0.1975, 0.1367, 0.1879, 0.1295],
    [0.1385, 0.2184, 0.2128, 0.1420, 0.0988, 0.1896],
]
JOURNEY = [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]


def _weights(rng, *shape):
    """Return rows of multiples of 1/64 that sum to 1, which are exact in float32."""
    return rng.multinomial(64, np.full(shape[-1], 1 / shape[-1]), size=shape[:-1]) / 64


@pytest.mark.points(1, checks=[EXAMPLES])
def test_journey(answer, solution):
    answer(WEIGHTS, JOURNEY).equals(solution(WEIGHTS, JOURNEY))


@pytest.mark.points(1, checks=["the weighted sums, for any numbers of queries and keys, values of any width"])
def test_other_sizes(answer, solution, draw, rng):
    for n_q, n_k, d_v in ((3, 3, 3), (3, 5, 6), (5, 3, 2), (1, 4, 3), (4, 1, 2), (3, 4, 1)):
        weights, values = _weights(rng, n_q, n_k), draw(n_k, d_v)
        answer(weights, values).equals(solution(weights, values))


@pytest.mark.points(1, checks=["One context vector in each row: row i belongs to query i."])
def test_as_many_of_everything(answer, solution, draw):
    weights, values = np.array([[0.5, 0.375, 0.125], [0.0, 0.75, 0.25], [0.125, 0.25, 0.625]]), draw(3, 3)
    answer(weights, values).equals(solution(weights, values))


@pytest.mark.points(1, checks=["any leading batch dimensions, the same for both"])
def test_batches(answer, solution, draw, rng):
    for batch, n_q, n_k, d_v in (
        ((2,), 3, 5, 6),
        ((2, 3), 3, 5, 6),
        ((3,), 3, 3, 3),
        ((1,), 2, 4, 1),
        ((2, 2), 2, 2, 2),
    ):
        weights, values = _weights(rng, *batch, n_q, n_k), draw(*batch, n_k, d_v)
        answer(weights, values).equals(solution(weights, values))


@pytest.mark.points(1, checks=[ARRAY_LIKE, "Use the weights as they are, whether or not they sum to 1."])
def test_lists_and_integers(answer):
    answer([[1, 0, 2], [0, 0, 0]], [[3, 5], [2, 7], [1, -4]]).equals(np.array([[5.0, -3.0], [0.0, 0.0]]))
    answer([[0.5, 0.25]], np.array([[3, 4], [2, 1]])).equals(np.array([[2.0, 2.25]]))
    answer(((0.5, 0.25),), ((3, 4), (2, 1))).equals(np.array([[2.0, 2.25]]))
    answer([[0.5, -1]], [[3, 4], [2, 1]]).equals(np.array([[-0.5, 1.0]]))  # the weights need not sum to 1
    answer(np.array([[1, 3]]), np.array([[0.5], [0.25]], dtype=np.float32)).equals(np.array([[1.25]]))
    answer([[[0.5, 0.5]], [[0.25, 0.5]]], [[[1], [2]], [[4], [3]]]).equals(np.array([[[1.5]], [[2.5]]]))


@pytest.mark.points(1, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, solution, draw, rng):
    weights, values = _weights(rng, 2, 3, 4), draw(2, 4, 5)
    first = answer(weights, values).leaves_arguments_alone()
    answer(_weights(rng, 2, 3, 4), draw(2, 4, 5))
    first.still_equals(solution(weights, values))
