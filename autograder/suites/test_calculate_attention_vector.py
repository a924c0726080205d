"""Hidden suite of calculate_attention_vector: sizes, lists, integers, and steps in any order."""

import numpy as np
import pytest

from autograder.suite import ARRAY_LIKE, ARRAYS_STAY, EXAMPLES


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer):
    applied = np.array([[0.3576, 0, 0, 3.5232], [1.4304, 0, 0, 2.6424], [5.3641, 0, 0, 39.9001]])
    answer(applied).equals(np.array([3.8808, 4.0728, 45.2642]))


@pytest.mark.points(1, checks=["Add up the weighted annotations over all time steps."])
def test_other_sizes(answer, solution, draw):
    for hidden, time in ((2, 5), (4, 3), (3, 3), (1, 4), (5, 1)):
        applied = draw(hidden, time)
        answer(applied).equals(solution(applied))


@pytest.mark.points(1, checks=[ARRAY_LIKE])
def test_lists_and_integers(answer):
    answer([[1, 2, 3], [4, 5, 6]]).equals(np.array([6.0, 15.0]))
    answer(np.array([[1, -1], [2, 5], [0, 3]])).equals(np.array([0.0, 7.0, 3.0]))
    answer(((0.5, 1), (2, -2))).equals(np.array([1.5, 0.0]))
    answer(np.array([[0.5, 0.25, 1]], dtype=np.float32)).equals(np.array([1.75]))


@pytest.mark.points(1, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, solution, draw):
    applied = draw(3, 4)
    first = answer(applied).leaves_arguments_alone()
    answer(draw(3, 4))
    first.still_equals(solution(applied))


@pytest.mark.points(0.5, checks=["add up the scaled columns, hidden unit by hidden unit"])
def test_steps_in_any_order(answer, draw):
    """Check that there is a number for each unit, and that the order of the steps does not matter."""
    applied = draw(3, 4, low=1, high=5) * [[1], [10], [100]]  # so that no two rows have the same sum
    reply = answer(np.concatenate([applied, applied[::-1, ::-1]])).satisfies(lambda got: got.size == 6, "six numbers")
    reply.satisfies(lambda got: np.allclose(got.flat[:3], got.flat[:2:-1]), "the same for reordered steps")
    reply.satisfies(lambda got: np.ptp(got.flat[:3]) > 0, "different numbers for different units")
