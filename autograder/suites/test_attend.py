"""Hidden suite of attend: sizes, large scores, lists, integers, and results that belong together."""

import numpy as np
import pytest

from autograder.suite import ALL_DIGITS, ARRAY_LIKE, ARRAYS_STAY, EXAMPLES, named, parts
from autograder.suite.modules import require_shares, require_weighted_sum

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
def test_example(answer, solution):
    answer([5, 1, 20], ANNOTATIONS).equals(named("context weights", solution([5, 1, 20], ANNOTATIONS)))
    expected = parts(
        context=np.array([0.4419, 0.6515, 0.5683]),
        weights=np.array([0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581]),
    )
    answer(WORDS[1], np.transpose(WORDS)).equals(expected, rtol=1e-3)


@pytest.mark.points(1, checks=["Scores, weights, weighted sum: this is attention."])
def test_other_sizes(answer, solution, draw):
    for hidden, time in ((2, 5), (4, 3), (3, 3), (3, 1), (1, 4)):
        state, annotations = draw(hidden, low=-1, high=1), draw(hidden, time)
        answer(state, annotations).equals(named("context weights", solution(state, annotations)))


@pytest.mark.points(
    1, checks=["Their scores are between -1,000,000 and 1,000,000, and the weights are computed in float64."]
)
def test_large_scores(answer, solution):
    # Scores up to 20,000, whose exponential overflows even in extended precision, close and far apart.
    for state, annotations in (
        ([100.3, 100.1], [[99.9, 99.91, 99.95, 99.88, 99.93], [99.7, 99.7, 99.64, 99.72, 99.68]]),
        ([200.0, 1.0], [[100.0, 100.0, 1.0], [0.5, 0.25, 9.0]]),
        ([-150.0], [[140.0, 140.01, 139.99]]),
    ):
        expected = named("context weights", solution(state, annotations))
        answer(np.array(state), np.array(annotations)).equals(expected)


@pytest.mark.points(0.5, checks=[ARRAY_LIKE])
def test_lists_and_integers(answer, solution):
    state, annotations = [1, 0, -1], [[1, 2, 0, 3], [4, 4, 1, 0], [0, 1, 2, 1]]
    expected = named("context weights", solution(state, annotations))
    answer(state, annotations).equals(expected)
    answer(tuple(state), tuple(map(tuple, annotations))).equals(expected)
    for dtype in (int, np.float32):
        answer(np.array(state, dtype), np.array(annotations, dtype)).equals(expected)


@pytest.mark.points(0.5, checks=["The weight of each annotation; they sum to 1."])
def test_order_and_equals(answer, solution, draw, rng):
    state, annotations, order = draw(3, low=-1, high=1), draw(3, 6), rng.permutation(6)
    context, weights = solution(state, annotations)
    answer(state, annotations[:, order]).equals(parts(context=context, weights=weights[order]))

    annotations = np.tile([[1.5], [-2.0]], 5)
    answer([0.25, 3.0], annotations).equals(parts(context=np.array([1.5, -2.0]), weights=np.full(5, 0.2)))


@pytest.mark.points(0.5, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, solution, draw):
    state, annotations = draw(3, low=-1, high=1), draw(3, 4)
    first = answer(state, annotations).leaves_arguments_alone()
    answer(draw(3), draw(3, 4))
    first.still_equals(solution(state, annotations))


def _unlike(draw, hidden, time):
    """Return a state and annotations whose scores are not all equal, so that the weights differ."""
    while True:
        state, annotations = draw(hidden), draw(hidden, time)
        if np.ptp(state @ annotations) > 0.1:
            return state, annotations


# The next two tests pass for any scores: other tests reveal a wrong scale or another softmax.
@pytest.mark.points(0.75, checks=["The weight of each annotation; they sum to 1."])
def test_weights_are_shares(answer, draw):
    for hidden, time in ((2, 5), (4, 3)):
        require_shares(answer(*_unlike(draw, hidden, time)), atol=ALL_DIGITS)


@pytest.mark.points(0.75, checks=["The context vector: the weighted sum of the annotations."])
def test_the_context_is_what_the_weights_make(answer, draw):
    for hidden, time in ((2, 5), (4, 3)):
        state, annotations = _unlike(draw, hidden, time)
        require_weighted_sum(answer(state, annotations), annotations.T)
