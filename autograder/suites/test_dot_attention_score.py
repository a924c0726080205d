"""Hidden suite of dot_attention_score: sizes, square arrays, lists and integers."""

import numpy as np
import pytest

from autograder.suite import ARRAY_LIKE, ARRAYS_STAY, EXAMPLES

ANNOTATIONS = np.transpose([[3, 12, 45], [59, 2, 5], [1, 43, 5], [4, 3, 45.3]])
WORDS = [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer):
    answer([5, 1, 20], ANNOTATIONS).equals(np.array([927.0, 397.0, 148.0, 929.0]))
    answer(WORDS[1], np.transpose(WORDS)).equals(np.array([0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865]))


@pytest.mark.points(1, checks=["Score every annotation against the decoder state."])
def test_other_sizes(answer, solution, draw):
    for hidden, time in ((2, 5), (4, 3), (5, 1), (1, 4)):
        state, annotations = draw(hidden), draw(hidden, time)
        answer(state, annotations).equals(solution(state, annotations))


@pytest.mark.points(0.5, checks=["One annotation in each column."])
def test_as_many_steps_as_units(answer, solution, draw):
    for size in (3, 2):
        state, annotations = draw(size), draw(size, size)
        answer(state, annotations).equals(solution(state, annotations))


@pytest.mark.points(1, checks=[ARRAY_LIKE])
def test_lists_and_integers(answer):
    answer([1, 2], [[3, 0, 1], [1, -4, 2]]).equals(np.array([5.0, -8.0, 5.0]))
    answer(np.array([2, 0, 1]), np.arange(6).reshape(3, 2)).equals(np.array([4.0, 7.0]))
    answer((1, 0.5), ((2, 4), (6, -8))).equals(np.array([5.0, 0.0]))
    answer(np.array([0.5, 0.25]), np.array([[2, 4, 5], [5, -8, 3]])).equals(np.array([2.25, 0.0, 3.25]))
    answer([2, 1], np.array([[0.5, 1], [3, 0.25]], dtype=np.float32)).equals(np.array([4.0, 2.25]))


@pytest.mark.points(0.5, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, draw, solution):
    state, annotations = draw(4), draw(4, 6)
    first = answer(state, annotations).leaves_arguments_alone()
    answer(draw(4), draw(4, 6))
    first.still_equals(solution(state, annotations))
