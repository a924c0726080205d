"""Hidden suite of apply_attention_scores: sizes, square arrays, weights that do not sum to 1, lists and integers."""

import numpy as np
import pytest

from autograder.suite import ARRAY_LIKE, ARRAYS_STAY, EXAMPLES


def _shares(rng, time):
    """Return `time` weights that sum to 1, like those in the chapter; another test uses weights that do not."""
    return rng.multinomial(64, np.full(time, 1 / time)) / 64


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    annotations = np.transpose([[3, 12, 45], [59, 2, 5], [1, 43, 5], [4, 3, 45.3]])
    weights = np.array([0.11920292, 0.0, 0.0, 0.88079708])
    answer(weights, annotations).equals(solution(weights, annotations))


@pytest.mark.points(1, checks=["Column i is annotation i times weight i."])
def test_other_sizes(answer, solution, draw, rng):
    for hidden, time in ((2, 5), (4, 3), (1, 4), (3, 1)):
        weights, annotations = _shares(rng, time), draw(hidden, time)
        answer(weights, annotations).equals(solution(weights, annotations))


@pytest.mark.points(1, checks=["Annotations are columns, so weight 1 scales column 1, weight 2 scales column 2"])
def test_as_many_steps_as_units(answer, solution, draw):
    weights, annotations = np.array([0.5, 0.125, 0.375]), draw(3, 3, low=1, high=5)
    answer(weights, annotations).equals(solution(weights, annotations))


@pytest.mark.points(1, checks=[ARRAY_LIKE])
def test_lists_and_integers(answer):
    answer([1, 0, 2], [[3, 5, 1], [2, 7, -4]]).equals(np.array([[3.0, 0.0, 2.0], [2.0, 0.0, -8.0]]))
    # Weights with all digits, as from softmax: as exact fractions (`Fraction`), they overflow NumPy's integers.
    integers = np.array([[21, 45], [64, 81], [1, 30001]])
    answer([0.3, 0.7], integers).equals(np.array([[6.3, 31.5], [19.2, 56.7], [0.3, 21000.7]]))
    answer((0.5, 2), ((4, 1), (2, 3))).equals(np.array([[2.0, 2.0], [1.0, 6.0]]))
    answer(np.array([1, 3]), np.array([[0.5, 1], [2, 0.25]])).equals(np.array([[0.5, 3.0], [2.0, 0.75]]))
    answer(np.array([2, 4], dtype=np.float32), [[0.5, 1]]).equals(np.array([[1.0, 4.0]]))


@pytest.mark.points(1, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, solution, draw, rng):
    weights, annotations = _shares(rng, 4), draw(3, 4)
    first = answer(weights, annotations).leaves_arguments_alone()
    answer(_shares(rng, 4), draw(3, 4))
    first.still_equals(solution(weights, annotations))
