"""Hidden suite of softmax_backward: batches, dtypes, finite differences, weights of 0, and rows that sum to 0."""

import numpy as np
import pytest

from autograder.suite import APART, EXAMPLES, TENSORS_STAY
from autograder.suite.modules import tensor

FLOAT32 = 1e-4  # gradients are differences, which may lose a digit in float32
STEP = 1e-5


def _softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _agrees(answer, solution, weights, grad, dtype="float64", apart=False):
    expected = solution(tensor(weights, "float64"), tensor(grad, "float64"))
    tolerance = {"rtol": FLOAT32} if dtype == "float32" else {}
    return answer(*(tensor(each, dtype, apart=apart) for each in (weights, grad))).equals(expected, **tolerance)


def _inputs(draw, *shape):
    return _softmax(draw(*shape)), draw(*shape)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    weights = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])
    _agrees(answer, solution, weights, np.array([[1, 0, 0], [3, -1, 0.5]]))
    reply = answer(tensor(weights), tensor(np.full((2, 3), 7)))
    reply.satisfies(lambda got: np.abs(got).max() < 1e-5, "0 where all weights of a row have the same gradient")


@pytest.mark.points(1, checks=["each row separately, in tables of any size"])
def test_other_sizes(answer, solution, draw):
    for n_q, n_k in ((3, 5), (4, 4), (5, 2), (1, 6), (3, 1), (2, 9), (35, 67)):
        _agrees(answer, solution, *_inputs(draw, n_q, n_k))
    weights = _softmax(4 * draw(3, 6))
    _agrees(answer, solution, weights, draw(3, 6) / weights)  # The division makes small weights count, too.


@pytest.mark.points(1.5, checks=["with any number of leading batch dimensions, or none", "float32 and float64", APART])
def test_batches_and_number_types(answer, solution, draw):
    for batch, dtype in (((2,), "float32"), ((2, 3), "float64"), ((1,), "float64"), ((3, 1, 2), "float32")):
        _agrees(answer, solution, *_inputs(draw, *batch, 4, 5), dtype)
    _agrees(answer, solution, *_inputs(draw, 3, 3, 3))
    _agrees(answer, solution, *_inputs(draw, 4, 3, 3, 3), apart=True)


@pytest.mark.points(1, checks=["own backward pass, and with finite differences"])
def test_finite_differences(answer, draw):
    """Compare the gradients with finite differences."""
    scores, grad = draw(2, 3, 4), draw(2, 3, 4)
    expected = np.zeros_like(scores)
    for place in np.ndindex(scores.shape):
        push = np.zeros_like(scores)
        push[place] = STEP
        expected[place] = ((_softmax(scores + push) - _softmax(scores - push)) * grad).sum() / (2 * STEP)
    answer(tensor(_softmax(scores), "float64"), tensor(grad, "float64")).equals(tensor(expected, "float64"), rtol=1e-4)


@pytest.mark.points(1, checks=["weights that are exactly 0, as they are where a mask hides a key"])
def test_weights_of_zero(answer, solution, draw):
    """Check weights of 0, as masks make them: their scores get no gradient, however large the incoming one is."""
    weights, grad = _inputs(draw, 2, 4, 5)
    weights *= np.tri(4, 5)
    weights /= weights.sum(axis=-1, keepdims=True)  # the first row has one weight, and it is 1
    _agrees(answer, solution, weights, np.where(weights, grad, 1000.0))


@pytest.mark.points(0.5, checks=[TENSORS_STAY])
def test_inputs_and_results_stay(answer, solution, draw):
    weights, grad = _inputs(draw, 2, 3, 5)
    first = _agrees(answer, solution, weights, grad).leaves_arguments_alone()
    _agrees(answer, solution, *_inputs(draw, 2, 3, 5))
    first.still_equals(solution(tensor(weights, "float64"), tensor(grad, "float64")))


@pytest.mark.points(1, checks=["In each row the results add up to 0"])
def test_rows_cancel(answer, draw):
    """Check that each row sums to 0, because the same number added to all scores changes no weight."""
    for shape in ((3, 5), (2, 3, 4)):
        weights, grad = _inputs(draw, *shape)
        grad[..., 0] += 7  # If all numbers of a row were equal, its result would be 0.
        reply = answer(tensor(weights, "float64"), tensor(grad, "float64"))
        reply.satisfies(
            lambda got, shape=shape: got.shape == shape and got.any(axis=-1).all(), "a gradient for each score"
        )
        reply.satisfies(lambda got: np.abs(got.sum(axis=-1)).max() < 1e-9, "rows that add up to 0")


@pytest.mark.points(1, checks=["each row separately, in tables of any size"])
def test_one_query(answer, solution, draw):
    for n_k in (3, 6):
        _agrees(answer, solution, *_inputs(draw, 1, n_k))
