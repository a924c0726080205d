"""Hidden suite of attention_backward: batches, large scores, finite differences, and sums of the gradients."""

import numpy as np
import pytest

from autograder.suite import APART, EXAMPLES, TENSORS_STAY, Mismatch, Tensor, as_array, named
from autograder.suite.modules import tensor

NAMES = "grad_q grad_k grad_v"
SMALL = {"low": -1.5, "high": 1.5}  # bounds of inputs: where softmax is saturated, its gradient is 0
FLOAT32 = 1e-4  # gradients are differences, which may lose a digit in float32
STEP = 1e-5
NEAR = 1e-3  # tolerance for sums; other tests check their terms


def _inputs(draw, *batch, n_q=3, n_k=5, d=4, d_v=6):
    shapes = ((n_q, d), (n_k, d), (n_k, d_v), (n_q, d_v))
    return [draw(*batch, *shape, **SMALL) for shape in shapes]


def _unscaled(draw, *batch, **lengths):
    """Return inputs with keys of width 1, where the scale is 1, for tests that do not check the scale."""
    return _inputs(draw, *batch, d=1, d_v=1, **lengths)


def _agrees(answer, solution, inputs, dtype="float64", apart=False):
    expected = named(NAMES, solution(*(tensor(numbers, "float64") for numbers in inputs)))
    tolerance = {"rtol": FLOAT32} if dtype == "float32" else {}
    return answer(*(tensor(numbers, dtype, apart=apart) for numbers in inputs)).equals(expected, **tolerance)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    q, k, v = [[1, 0], [0, 2]], [[1, 0], [0, 1], [1, -1]], [[1, 0, 2], [3, -1, 0], [0, 4, 1]]
    _agrees(answer, solution, (q, k, v, [[1, 0, 1], [-1, 2, 0.5]]))


@pytest.mark.points(2, checks=["for different or equal numbers of queries and keys"])
def test_other_sizes(answer, solution, draw):
    for n_q, n_k, d, d_v in (
        (3, 5, 4, 6),
        (5, 2, 6, 3),
        (1, 4, 2, 5),
        (4, 1, 3, 2),
        (3, 4, 1, 1),
        (2, 3, 9, 4),
        (35, 67, 3, 2),
    ):
        _agrees(answer, solution, _inputs(draw, n_q=n_q, n_k=n_k, d=d, d_v=d_v))


@pytest.mark.points(1.5, checks=["for different or equal numbers of queries and keys"])
def test_equal_sizes(answer, solution, draw):
    # Shapes that always fit: an extra transpose, or results in the wrong order, only change the numbers.
    for n, d in ((4, 4), (3, 5), (2, 2)):
        _agrees(answer, solution, _inputs(draw, n_q=n, n_k=n, d=d, d_v=d))


@pytest.mark.points(2, checks=["any number of leading batch dimensions, the same for all, or none", APART])
def test_batches(answer, solution, draw):
    for batch in ((2,), (2, 3), (1,), (3, 1, 2)):
        _agrees(answer, solution, _unscaled(draw, *batch))
    _agrees(answer, solution, _unscaled(draw, 3, n_q=3, n_k=3))
    _agrees(answer, solution, _unscaled(draw, 2, 3), apart=True)


@pytest.mark.points(1, checks=["float32 and float64"])
def test_float32(answer, solution, draw):
    for batch in ((), (2,)):
        _agrees(answer, solution, _unscaled(draw, *batch), "float32")


@pytest.mark.points(1.5, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    # Inputs that are not exact in float32.
    keys = 100 + draw(5, 4, low=-1, high=1, exact=False) / 128
    _agrees(answer, solution, (100 + draw(3, 4, exact=False), keys, draw(5, 6), draw(3, 6)))
    # Scores in the thousands, some far apart and some close together, so that a few gradients remain.
    for batch in ((), (2,)):
        q, k, v, grad_output = _inputs(draw, *batch)
        q, k = 40 * np.sign(q + 0.01), 40 * np.sign(k + 0.01)
        q[..., 0, :] = k[..., 2, :]
        k[..., 1, :] = k[..., 2, :] + draw(4, low=1, high=2) / 256
        # Query 0 attends to keys 1 and 2. With these numbers, it cannot happen that all gradients are nearly 0.
        v[..., 1, :], grad_output[..., 0, :] = v[..., 2, :] + 2, grad_output[..., 0, :] + 8
        _agrees(answer, solution, (q, k, v, grad_output))


@pytest.mark.points(2.5, checks=["Your gradients are compared with autograd's and with finite differences."])
def test_finite_differences(answer, draw):
    """Compare the gradients with finite differences."""
    *inputs, grad_output = _inputs(draw, 2, n_q=2, n_k=3, d=3, d_v=2)
    expected = []
    for numbers in inputs:
        gradient = np.zeros_like(numbers)
        for place in np.ndindex(numbers.shape):
            number, losses = numbers[place], []
            for step in (STEP, -STEP):
                numbers[place] = number + step
                losses.append((_attention(*inputs) * grad_output).sum())
            numbers[place] = number
            gradient[place] = (losses[0] - losses[1]) / (2 * STEP)
        expected.append(tensor(gradient, "float64"))
    arguments = [tensor(numbers, "float64") for numbers in (*inputs, grad_output)]
    answer(*arguments).equals(named(NAMES, expected), rtol=1e-4)


def _attention(q, k, v):
    scores = q @ np.swapaxes(k, -2, -1) / np.sqrt(q.shape[-1])
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ v


@pytest.mark.points(0.5, checks=["How fast the loss changes with each number of the queries."])
def test_values_get_what_comes_in(answer, draw):
    """Check that the gradients of the values add up to the incoming one, however scores are computed."""
    for batch in ((), (2,)):
        (*_, grad_output), reply = _asked(answer, draw, *batch)
        *_, grad_v = _gradients(reply)
        if not _are_near(grad_v.sum(axis=-2), grad_output.sum(axis=-2)):
            reply.fails("should return gradients of the values that add up to those of the outputs")


@pytest.mark.points(1.5, checks=["How fast the loss changes with each number of the queries."])
def test_keys_that_all_move_alike_change_nothing(answer, draw):
    for batch in ((), (2,)):
        _, reply = _asked(answer, draw, *batch)
        _, grad_k, _ = _gradients(reply)
        if not (grad_k.any() and _are_near(grad_k.sum(axis=-2), 0)):
            reply.fails("should return gradients of the keys that add up to 0 and are not all 0")


@pytest.mark.points(0.5, checks=["How fast the loss changes with each number of the queries."])
def test_queries_pull_as_much_as_keys(answer, draw):
    """Check that q * grad_q and k * grad_k have equal sums, because each score is a product of both."""
    for batch in ((), (2,)):
        (q, k, *_), reply = _asked(answer, draw, *batch)
        grad_q, grad_k, _ = _gradients(reply)
        if not (grad_q.any() and _are_near((q * grad_q).sum(axis=(-2, -1)), (k * grad_k).sum(axis=(-2, -1)))):
            reply.fails("should return gradients with which longer queries change as much as longer keys do")


def _asked(answer, draw, *batch):
    """Return inputs of equal shapes and the reply to them, in which one tensor may contain all three gradients."""
    inputs = _inputs(draw, *batch, n_q=4, n_k=4, d=3, d_v=3)
    return inputs, answer(*(tensor(numbers, "float64") for numbers in inputs))


def _gradients(reply):
    value = reply.value
    parts = value.array if isinstance(value, Tensor) else value
    try:
        arrays = [np.asarray(as_array(part)) for part in parts]
    except (Mismatch, TypeError):
        arrays = []
    shape = reply.call.args[0].array.shape
    if [array.shape for array in arrays] != 3 * [shape]:
        reply.fails(f"should return three gradients of shape {shape}")
    return arrays


def _are_near(one, other):
    return np.allclose(one, other, rtol=NEAR, atol=NEAR)


@pytest.mark.points(1, checks=["From there, work backwards"])
def test_no_gradient_no_change(answer, solution, draw):
    q, k, v, grad_output = _unscaled(draw, 2)
    _agrees(answer, solution, (q, k, v, 0 * grad_output))
    _agrees(answer, solution, (q, k, v, 1 + 0 * grad_output))


@pytest.mark.points(1, checks=[TENSORS_STAY])
def test_inputs_and_results_stay(answer, solution, draw):
    inputs = _unscaled(draw, 2)
    first = _agrees(answer, solution, inputs).leaves_arguments_alone()
    # Wider queries, because dividing by the square root of 1 in place would change nothing.
    answer(*(tensor(numbers, "float64") for numbers in _inputs(draw, 2))).leaves_arguments_alone()
    _agrees(answer, solution, _unscaled(draw, 2))
    first.still_equals(named(NAMES, solution(*(tensor(numbers, "float64") for numbers in inputs))))
