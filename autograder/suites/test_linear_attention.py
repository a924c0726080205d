"""Hidden suite of linear_attention: long texts, batches, a given state, gradients through it, and memory."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, Mismatch, as_array, parts
from autograder.suite.modules import SMALL, tensor


def _inputs(draw, *batch, n=5, d_k=3, d_v=4, **how):
    """Return inputs with twice the usual spread: far from 0, elu(x) + 1 differs more from similar functions."""
    return [2 * draw(*batch, n, width, **(how or SMALL)) for width in (d_k, d_k, d_v)]


def _state(draw, *batch, d_k=3, d_v=4):
    """Return a state (S, z) as earlier tokens would have left it, with positive z."""
    return draw(*batch, d_k, d_v, **SMALL), draw(*batch, d_k, low=1, high=3)


def _compare(answer, solution, inputs, state=(), dtype="float32"):
    def given(dtype):
        return [*(tensor(each, dtype) for each in inputs), *([tuple(tensor(e, dtype) for e in state)] if state else [])]

    reply = answer(*given(dtype)).leaves_arguments_alone()
    output, (S, z) = solution(*given("float64"))
    return reply.equals(parts(output=output, state=parts(S=S, z=z)))


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    queries, keys = [[0, 1], [1, -1], [2, 0]], [[1, 0], [0, 1], [-1, 1]]
    _compare(answer, solution, (queries, keys, [[4, 0], [0, 4], [8, 8]]), dtype="float64")


@pytest.mark.points(
    1,
    checks=[
        "for any positive number of tokens and any widths",
        "Add nothing to the divisor.",
        "float32 and float64",
    ],
)
def test_sizes(answer, solution, draw):
    for n, d_k, d_v in ((4, 2, 3), (1, 3, 2), (6, 1, 4), (3, 5, 1), (3, 3, 3), (9, 4, 2)):
        _compare(answer, solution, _inputs(draw, n=n, d_k=d_k, d_v=d_v))
    # Far below 0 the divisor is nearly 0, which reveals anything added to it.
    queries, keys, values = _inputs(draw)
    reply = _compare(answer, solution, (queries - 8, keys - 8, values), dtype="float64")
    if as_array(reply.value[0]).dtype == "float32":
        reply.fails("returned float32 numbers for output, with float64 input", "dtype")


@pytest.mark.points(0.5, checks=["for any positive number of tokens"])
def test_long_texts(answer, solution, draw):
    for n in (17, 67, 131, 257):  # not divisible by any chunk size
        _compare(answer, solution, _inputs(draw, n=n), dtype="float64")
    _compare(answer, solution, _inputs(draw, n=71), _state(draw), dtype="float64")


@pytest.mark.points(1, checks=["with any leading batch dimensions, or none"])
def test_batches(answer, solution, draw):
    for batch in ((3,), (2, 3), (1,), (5,), (2, 1, 2)):
        _compare(answer, solution, _inputs(draw, *batch, n=5 if batch != (5,) else 4))
        _compare(answer, solution, _inputs(draw, *batch), _state(draw, *batch))


@pytest.mark.points(1, checks=["pieces that give the same result as the whole", "a given state that stays unchanged"])
def test_a_given_state_goes_on(answer, solution, draw):
    for n in (1, 2, 4):
        inputs, state = _inputs(draw, n=n), _state(draw)
        first = _compare(answer, solution, inputs, state)
        _compare(answer, solution, _inputs(draw, n=n + 1), _state(draw))
        expected, (S, z) = solution(
            *(tensor(each, "float64") for each in inputs), tuple(tensor(e, "float64") for e in state)
        )
        first.still_equals(parts(output=expected, state=parts(S=S, z=z)))


def _flows(answer, solution, *arguments):
    """Compare the gradients of the output and those of the returned state with the solution's."""
    for results in ((0,), (1,)):
        reply = answer.gradients(*arguments, results=results)
        reply.flows_like(solution.gradients(*arguments, results=results))


@pytest.mark.points(0.5, checks=["gradients for all inputs"])
def test_gradients(answer, solution, draw):
    for batch in ((2,), ()):
        _flows(answer, solution, *(tensor(each, "float64") for each in _inputs(draw, *batch)))


@pytest.mark.points(0.5, checks=["through the given state and the returned one"])
def test_gradients_reach_a_given_state(answer, solution, draw):
    for batch, n in (((2,), 3), ((), 1)):
        state = tuple(tensor(part, "float64") for part in _state(draw, *batch))
        _flows(answer, solution, *(tensor(each, "float64") for each in _inputs(draw, *batch, n=n)), state)


@pytest.mark.points(
    1.5,
    checks=[
        "no new tensor has more than ``2 * n * max(d_k, d_v)`` elements for each head",
        "takes less than a table of all pairs",
    ],
)
def test_memory(answer, solution, draw):
    # Lengths that are not divisible by any chunk size.
    for batch, n, d_k, d_v in (((), 97, 8, 4), ((2,), 67, 4, 8), ((), 163, 16, 16)):
        numbers = _inputs(draw, *batch, n=n, d_k=d_k, d_v=d_v)
        _compare(answer, solution, numbers)
        largest = int(np.prod(batch)) * 2 * n * max(d_k, d_v)
        answer.measure(*map(tensor, numbers), largest=largest).stays_within(
            "2 * n * max(d_k, d_v) for each head. No tensor may contain all pairs of tokens"
        )
    # The memory held at the same time, lists and arrays included, must be less than the matrix of all pairs.
    numbers = [tensor(each, "float64") for each in _inputs(draw, n=192, d_k=4)]
    answer.measure(*numbers, held=192 * 192 * 8).stays_within(
        "the size of the matrix of all query-key pairs. Keep running sums instead"
    )


@pytest.mark.points(1, checks=["Token i attends to all earlier tokens, including those in the state, and to itself."])
def test_outputs_are_mixtures_of_what_came_before(answer, draw):
    """Check that outputs are averages of the values up to each token, for any function of queries and keys."""
    queries, keys, values = _inputs(draw, 2, n=6)
    first = _output(answer(*map(tensor, (queries, keys, values))), values.shape)
    later = values + np.where(np.arange(6)[:, None] > 3, draw(2, 6, 4), 0)
    reply = answer(*map(tensor, (queries, keys, later)))
    if not np.allclose(_output(reply, values.shape)[:, :4], first[:, :4], atol=1e-4):
        reply.fails("should not use later tokens")
    reply = answer(*map(tensor, (queries, keys, values + 1)))
    if not np.allclose(_output(reply, values.shape), first + 1, atol=1e-3) or np.ptp(first[:, 0] - values[:, 0]) > 1e-3:
        reply.fails("should return weighted sums of the values, beginning with the first value")


def _output(reply, shape):
    try:
        output = as_array(reply.value[0])
    except (Mismatch, TypeError, KeyError, IndexError):  # there is no output
        output = np.array(np.nan)
    return output if output.shape == shape else np.full(shape, np.nan)
