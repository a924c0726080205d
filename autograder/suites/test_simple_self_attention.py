"""Hidden suite of simple_self_attention: batches, large scores, reordered and equal tokens, lists and integers."""

import numpy as np
import pytest

from autograder.suite import ALL_DIGITS, ARRAY_LIKE, ARRAYS_STAY, EXAMPLES, named, parts
from autograder.suite.modules import require_shares, require_weighted_sum

WORDS = "0.43 0.15 0.89  0.55 0.87 0.66  0.57 0.85 0.64  0.22 0.58 0.33  0.77 0.25 0.10  0.05 0.80 0.55"
JOURNEY = np.array(WORDS.split(), dtype=float).reshape(6, 3)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_journey(answer, solution):
    answer(JOURNEY).equals(named("context weights", solution(JOURNEY)))


@pytest.mark.points(1, checks=["Let every token of a sentence attend to all tokens of that sentence."])
def test_other_sizes(answer, solution, draw):
    for n, d in ((5, 4), (2, 6), (3, 3), (1, 4), (4, 1), (8, 2)):
        inputs = draw(n, d, low=-1, high=1)
        answer(inputs).equals(named("context weights", solution(inputs)))


@pytest.mark.points(1, checks=["any leading batch dimensions"])
def test_batches(answer, solution, draw):
    for shape in ((2, 5, 4), (2, 3, 5, 4), (3, 3, 3), (1, 4, 2), (2, 2, 2, 2)):
        inputs = draw(*shape, low=-1, high=1)
        answer(inputs).equals(named("context weights", solution(inputs)))


@pytest.mark.points(1, checks=["scores between -1,000,000 and 1,000,000, in plain float64"])
def test_large_scores(answer, solution):
    # Scores up to 20000, whose exponentials overflow a float128, too, with scores of -20000 and 1 in other rows.
    # The last inputs are not exact in float32.
    far, near = [[100, 100, 2], [100, 99, 0], [-100, -100, 1], [1, 0, 0]], [[30, 2], [1, 30], [30, 1]]
    for inputs in (far, near, [[70.1, 70.2], [70.15, 70.1], [-70.3, 0.1]]):
        inputs = np.array(inputs, dtype=float)
        answer(inputs).equals(named("context weights", solution(inputs)))


@pytest.mark.points(0.5, checks=["Row i says how much each token contributed to context i."])
def test_order_of_tokens_moves_rows_only(answer, solution, draw, rng):
    inputs, order = draw(6, 3, low=-1, high=1), rng.permutation(6)
    context, weights = solution(inputs)
    answer(inputs[order]).equals(parts(context=context[order], weights=weights[order][:, order]))


@pytest.mark.points(0.5, checks=["softmax of the plain dot products"])
def test_equal_tokens_stay(answer):
    inputs = np.tile([1.5, -2.0, 0.25], (5, 1))
    answer(inputs).equals(parts(context=inputs, weights=np.full((5, 5), 0.2)))


@pytest.mark.points(0.5, checks=[ARRAY_LIKE])
def test_lists_and_integers(answer, solution):
    for inputs in ([[1, 0], [2, -1], [0, 1]], np.array([[[1, 2], [0, 1]], [[2, 0], [-1, 1]]]), ((0.5,), (1.5,))):
        answer(inputs).equals(named("context weights", solution(inputs)))
    for inputs in (np.array([[1, 0], [0.5, 2]], dtype=np.float32),):
        answer(inputs).equals(named("context weights", solution(inputs)))


@pytest.mark.points(0.5, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, solution, draw):
    inputs = draw(2, 4, 3, low=-1, high=1)
    first = answer(inputs).leaves_arguments_alone()
    answer(draw(2, 4, 3))
    first.still_equals(named("context weights", solution(inputs)))


# The next two tests pass for any scores: other tests reveal a wrong scale or an extra mask.
@pytest.mark.points(1, checks=["softmax of the plain dot products"])
def test_weights_are_shares(answer, draw):
    for shape in ((3, 5, 4), (2, 3, 2)):
        require_shares(answer(draw(*shape)), atol=ALL_DIGITS)


@pytest.mark.points(1, checks=["Row i says how much each token contributed to context i."])
def test_the_context_is_what_the_weights_make(answer, draw):
    for shape in ((3, 5, 4), (2, 3, 2)):
        inputs = draw(*shape)
        require_weighted_sum(answer(inputs), inputs)
