"""Hidden suite of attention_backward."""

import numpy as np
import pytest

from autograder.suite import named, tensor

NAMES = "grad_q grad_k grad_v"
SMALL = {"low": -1.5, "high": 1.5}  # where softmax is saturated, nothing comes back through it
FLOAT32 = 1e-4  # gradients are differences, and in float32 a digit may go
STEP = 1e-5


def _inputs(draw, *batch, n_q=3, n_k=5, d=4, d_v=6):
    shapes = ((n_q, d), (n_k, d), (n_k, d_v), (n_q, d_v))
    return [draw(*batch, *shape, **SMALL) for shape in shapes]


def _agrees(answer, solution, inputs, dtype="float64", apart=False):
    expected = named(NAMES, solution(*(tensor(numbers, "float64") for numbers in inputs)))
    tolerance = {"rtol": FLOAT32} if dtype == "float32" else {}
    return answer(*(tensor(numbers, dtype, apart=apart) for numbers in inputs)).equals(expected, **tolerance)


@pytest.mark.points(1)
def test_example(answer, solution):
    q, k, v = [[1, 0], [0, 2]], [[1, 0], [0, 1], [1, -1]], [[1, 0, 2], [3, -1, 0], [0, 4, 1]]
    _agrees(answer, solution, (q, k, v, [[1, 0, 1], [-1, 2, 0.5]]))


@pytest.mark.points(3)
def test_other_sizes(answer, solution, draw):
    for n_q, n_k, d, d_v in ((3, 5, 4, 6), (5, 2, 6, 3), (1, 4, 2, 5), (4, 1, 3, 2), (3, 4, 1, 1), (2, 3, 9, 4)):
        _agrees(answer, solution, _inputs(draw, n_q=n_q, n_k=n_k, d=d, d_v=d_v))


@pytest.mark.points(2)
def test_equal_sizes(answer, solution, draw):
    # Shapes that refuse nothing: a transpose too many, or results in another order, show in the numbers alone.
    for n, d in ((4, 4), (3, 5), (2, 2)):
        _agrees(answer, solution, _inputs(draw, n_q=n, n_k=n, d=d, d_v=d))


@pytest.mark.points(2)
def test_batches(answer, solution, draw):
    for batch in ((2,), (2, 3), (1,), (3, 1, 2)):
        _agrees(answer, solution, _inputs(draw, *batch))
    _agrees(answer, solution, _inputs(draw, 3, n_q=3, n_k=3, d=3, d_v=3))
    _agrees(answer, solution, _inputs(draw, 2, 3), apart=True)


@pytest.mark.points(1)
def test_float32(answer, solution, draw):
    for batch in ((), (2,)):
        _agrees(answer, solution, _inputs(draw, *batch), "float32")


@pytest.mark.points(2)
def test_large_scores(answer, solution, draw):
    # Thousands, some far apart and some near each other, so that a few gradients are left.
    for batch in ((), (2,)):
        q, k, v, grad_output = _inputs(draw, *batch)
        q, k = 40 * np.sign(q + 0.01), 40 * np.sign(k + 0.01)
        q[..., 0, :] = k[..., 2, :]
        k[..., 1, :] = k[..., 2, :] + draw(4, low=-1, high=1) / 128
        _agrees(answer, solution, (q, k, v, grad_output))


@pytest.mark.points(3)
def test_finite_differences(answer, draw):
    """Each number pushed up and down: what happens to the sum that has these gradients."""
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


@pytest.mark.points(1)
def test_no_gradient_no_change(answer, solution, draw):
    q, k, v, grad_output = _inputs(draw, 2)
    _agrees(answer, solution, (q, k, v, 0 * grad_output))
    _agrees(answer, solution, (q, k, v, 1 + 0 * grad_output))


@pytest.mark.points(1)
def test_inputs_and_results_stay(answer, solution, draw):
    inputs = _inputs(draw, 2)
    first = _agrees(answer, solution, inputs).leaves_arguments_alone()
    _agrees(answer, solution, _inputs(draw, 2))
    first.still_equals(named(NAMES, solution(*(tensor(numbers, "float64") for numbers in inputs))))
