"""Hidden suite of online_softmax_attention: blocks of any size, maxima that move, large scores, gradients, memory."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, GRADIENTS, TENSORS_STAY
from autograder.suite.modules import tensor

SMALL = {"low": -1.5, "high": 1.5}  # large scores would saturate softmax and hide a wrong scale


def _inputs(draw, *batch, n_q=3, n_k=7, d=4, d_v=6):
    return [draw(*batch, *shape, **SMALL) for shape in ((n_q, d), (n_k, d), (n_k, d_v))]


def _exact(solution, inputs):
    # With all keys in one block, the reference computes plain attention.
    return solution(*(tensor(numbers, "float64") for numbers in inputs), inputs[1].shape[-2])


def _agrees(answer, solution, inputs, block_size, dtype="float32"):
    return answer(*(tensor(numbers, dtype) for numbers in inputs), block_size).equals(_exact(solution, inputs))


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    q, k = [[1, 0], [0.5, 2]], [[1, 0], [0, 1], [2, 1], [-1, 3], [4, -1]]
    v = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]]
    for block_size in (1, 2, 5, 64):
        _agrees(answer, solution, [np.array(numbers) for numbers in (q, k, v)], block_size)


@pytest.mark.points(1, checks=["for any numbers of queries and keys"])
def test_as_many_queries_as_keys(answer, solution, draw):
    for n, block_size in ((7, 1), (7, 2), (7, 3), (7, 7), (6, 8), (6, 4)):
        _agrees(answer, solution, _inputs(draw, n_q=n, n_k=n), block_size)


@pytest.mark.points(1, checks=["any block size of 1 or more, even larger than the number of keys"])
def test_blocks_of_every_size(answer, solution, draw):
    inputs = _inputs(draw)
    for block_size in range(1, 9):
        _agrees(answer, solution, inputs, block_size)
    for n_q, n_k, d, d_v, block_size in (
        (5, 12, 2, 3, 4),
        (3, 9, 1, 1, 2),
        (4, 1, 3, 5, 3),
        (6, 6, 6, 6, 4),
        (67, 131, 2, 3, 16),
    ):
        _agrees(answer, solution, _inputs(draw, n_q=n_q, n_k=n_k, d=d, d_v=d_v), block_size)


@pytest.mark.points(1, checks=["any leading batch dimensions, or none", "float32 and float64"])
def test_batches_and_number_types(answer, solution, draw):
    cases = ((2,), 1, "float32"), ((2, 3), 3, "float64"), ((1,), 3, "float64"), ((3, 1, 2), 3, "float32")
    for batch, n_q, dtype in cases:  # the first with one query each, as when words are generated one by one
        inputs = _inputs(draw, *batch, n_q=n_q)
        reply = _agrees(answer, solution, inputs, 3, dtype)
        if dtype == "float64":
            if reply.array.dtype == "float32":
                reply.fails("returned float32 numbers for float64 input", "dtype")
            # The scale, 2, is exact in any precision, so all digits must be correct.
            if not np.allclose(reply.array, _exact(solution, inputs).array, rtol=1e-9, atol=1e-9):
                reply.fails("is correct only to the first digits, as when something is computed in float32")
    # Batch axes as long as the other axes, so that a wrong axis raises no error about shapes.
    _agrees(answer, solution, _inputs(draw, 4, n_q=4, n_k=4, d=4, d_v=4), 2)
    _agrees(answer, solution, _inputs(draw, 3, 3, n_q=3, n_k=6, d=3, d_v=3), 3)


@pytest.mark.points(1, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    # Scores reach thousands, close or far apart, and differ by thousands across rows.
    q, k, v = _inputs(draw, 2, n_q=9, n_k=9)
    k[..., 4, :] = k[..., 1, :] + 1 / 64
    for scale in (60, -60):
        _agrees(answer, solution, (scale * q, 30 * k, v), 2, "float64")
    q[..., 0, :], q[..., 1, :] = 200, -200
    _agrees(answer, solution, (q, 20 + k / 8, v), 4, "float64")
    best_in_first_block = np.where(np.arange(9)[:, None] == 1, 5, k / 8)
    _agrees(answer, solution, (q, best_in_first_block, v), 4, "float64")
    # Scores up to nearly a million, each far from the next.
    _agrees(answer, solution, (np.abs(q) + 1, 2e4 * np.arange(1.0, 10)[:, None] * np.ones_like(k), v), 2, "float64")


@pytest.mark.points(1, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_maxima_that_move(answer, solution, draw):
    # Scores below any initial maximum, then rising with the keys, falling, both, far below 0, and all equal.
    q, k, v = _inputs(draw, n_q=8, n_k=8)
    steps = np.arange(8.0)[:, None]
    for slope in (1e4 * (steps - 20), steps, -steps, np.abs(steps - 4), -np.abs(steps - 4), 0 * steps - 90_000, 0 * k):
        keys = slope if slope.shape == k.shape else np.full((8, 4), 0.5) * slope + k / 8
        _agrees(answer, solution, (np.abs(q) + 1, keys, v), 2, "float64")


@pytest.mark.points(1, checks=[TENSORS_STAY])
def test_inputs_and_results_stay(answer, solution, draw):
    inputs, others = _inputs(draw, 2, n_q=7), _inputs(draw, 2, n_q=7)
    first = _agrees(answer, solution, inputs, 3).leaves_arguments_alone()
    _agrees(answer, solution, others, 3)
    first.still_equals(solution(*(tensor(numbers, "float64") for numbers in inputs), 3))


@pytest.mark.points(1, checks=[GRADIENTS])
def test_gradients(answer, solution, draw):
    for batch, block_size in (((), 2), ((2,), 3)):
        inputs = [tensor(numbers, "float64") for numbers in _inputs(draw, *batch, n_q=7)]
        answer.gradients(*inputs, block_size).flows_like(solution.gradients(*inputs, block_size))


def _measure(answer, inputs, block_size, dtype, **limits):
    return answer.measure(*(tensor(numbers, dtype) for numbers in inputs), block_size, **limits)


def _elements(q, k, v, block_size):
    """Return the number of elements that the exercise allows in one tensor, for one head."""
    n_q, (d, d_v) = q.shape[-2], (k.shape[-1], v.shape[-1])
    return max(n_q * block_size, block_size * max(d, d_v), n_q * max(d, d_v))


def _equal_or_far_behind(q, k, v):
    """Return inputs with which half of the keys tie for a query's best score, and the others get no weight.

    The first two keys are from different halves, so that no better key follows. A missing scale has no effect here.
    """
    signs = np.where(np.arange(max(q.shape[-2], k.shape[-2])) % 2, -1, 1)[:, None]
    return (np.abs(q) + 1) * signs[: q.shape[-2]], 8 * np.ones_like(k) * signs[: k.shape[-2]], v


def _mixes(answer, solution, inputs, block_size, dtype="float32"):
    """Check each row of the output up to a factor, because other tests reveal a missing division by the sum."""
    expected = _exact(solution, inputs).array

    def is_along(output):
        if output.shape != expected.shape:
            return False
        lengths, wanted = (np.linalg.norm(rows, axis=-1, keepdims=True) for rows in (output, expected))
        return (lengths > 0).all() and np.allclose(output / lengths, expected / wanted, atol=1e-5)

    reply = answer(*(tensor(numbers, dtype) for numbers in inputs), block_size)
    reply.satisfies(is_along, "a multiple of the weighted sum of the values")


def _stays_small(answer, solution, draw, n_q, n_k, block_size, dtype):
    reason = "max(queries x block, block x width, queries x width)"
    inputs = _equal_or_far_behind(*_inputs(draw, n_q=n_q, n_k=n_k))
    _mixes(answer, solution, inputs, block_size, dtype)
    _measure(answer, inputs, block_size, dtype, largest=_elements(*inputs, block_size)).stays_within(reason)


@pytest.mark.points(2, checks=["No intermediate tensor has more elements for each head"])
def test_memory(answer, solution, draw):
    _stays_small(answer, solution, draw, 20, 151, 10, "float32")
    _stays_small(answer, solution, draw, 12, 400, 24, "float64")


@pytest.mark.points(2, checks=["No intermediate tensor has more elements for each head"])
def test_memory_of_as_many_queries_as_keys(answer, solution, draw):
    _stays_small(answer, solution, draw, 61, 61, 6, "float32")


@pytest.mark.points(2, checks=["No intermediate tensor has more elements for each head"])
def test_memory_of_a_batch(answer, solution, draw):
    reason = "max(queries x block, block x width, queries x width), times the heads"
    inputs = _equal_or_far_behind(*_inputs(draw, 2, 2, n_q=49, n_k=49))
    _mixes(answer, solution, inputs, 6)
    _measure(answer, inputs, 6, "float32", largest=2 * 2 * _elements(*inputs, 6)).stays_within(reason)


@pytest.mark.points(4, checks=["all that is held at the same time takes less than half of the whole table"])
def test_memory_at_the_same_time(answer, solution, draw):
    reason = "half of the score matrix. Keep only the maximum, sum and weighted sum of a block"
    inputs = _equal_or_far_behind(*_inputs(draw, n_q=10, n_k=4099))
    _mixes(answer, solution, inputs, 128, "float64")
    _measure(answer, inputs, 128, "float64", held=10 * 4099 * 8 // 2).stays_within(reason)
