"""Hidden suite of additive_scores: one score for each query and key, batches, dtypes, large sums and gradients."""

import numpy as np
import pytest

from autograder.suite import APART, EXAMPLES, TENSORS_STAY
from autograder.suite.modules import tensor

QUERIES, KEYS, WS = [[0, 0], [1, -1]], [[1, 0], [0, 2], [-1, -1]], [1, 2]


def _inputs(draw, *batch, n_q=3, n_k=5, d=4, dtype="float32", **bounds):
    """Return inputs with moderate sums: where tanh is flat or linear, other nonlinearities look the same."""
    bounds = bounds or {"low": -1.5, "high": 1.5}
    queries, keys = draw(*batch, n_q, d, **bounds), draw(*batch, n_k, d, **bounds)
    return [tensor(numbers, dtype) for numbers in (queries, keys, draw(d))]


def _check(answer, solution, inputs):
    return answer(*inputs).equals(solution(*inputs))


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    for inputs in ((QUERIES, KEYS, WS), (np.ones((6, 3, 4)), np.ones((6, 5, 4)), np.ones(4))):
        _check(answer, solution, [tensor(numbers) for numbers in inputs])


@pytest.mark.points(1, checks=["a score for every pair, for different or equal numbers of queries and keys"])
def test_other_sizes(answer, solution, draw):
    for n_q, n_k, d in ((3, 5, 4), (4, 2, 9), (1, 6, 3), (5, 1, 2), (2, 3, 1), (1, 1, 1)):
        _check(answer, solution, _inputs(draw, n_q=n_q, n_k=n_k, d=d))


@pytest.mark.points(1, checks=["a score for every pair, for different or equal numbers of queries and keys"])
def test_as_many_queries_as_keys(answer, solution, draw):
    for n, d in ((3, 4), (4, 4), (2, 5)):
        _check(answer, solution, _inputs(draw, n_q=n, n_k=n, d=d))


@pytest.mark.points(0.5, checks=["any number of leading batch dimensions, the same for queries and keys"])
def test_one_batch_axis(answer, solution, draw):
    for batch in (2, 1):
        _check(answer, solution, _inputs(draw, batch))
    # Batch axes as long as another axis, so that axes in the wrong place raise no error about shapes.
    _check(answer, solution, _inputs(draw, 3))
    _check(answer, solution, _inputs(draw, 5))
    _check(answer, solution, _inputs(draw, 3, n_q=3, n_k=3, d=3))


@pytest.mark.points(
    0.5, checks=["any number of leading batch dimensions, the same for queries and keys", "float32 and float64", APART]
)
def test_batches_and_number_types(answer, solution, draw):
    for batch, dtype in (((2,), "float32"), ((2, 3), "float64"), ((1,), "float64"), ((3, 1, 2), "float32")):
        reply = _check(answer, solution, _inputs(draw, *batch, dtype=dtype))
        if dtype == "float64" and reply.array.dtype == "float32":
            reply.fails("returned float32 numbers for float64 input", "dtype")
    *tokens, ws = _inputs(draw, 2, 3)
    _check(answer, solution, [*(tensor(each.array, apart=True) for each in tokens), ws])


@pytest.mark.points(1, checks=["sums of any size"])
def test_large_sums(answer, solution, draw):
    for dtype in ("float32", "float64"):
        inputs = _inputs(draw, n_q=4, n_k=6, dtype=dtype, low=-2000, high=2000)
        _check(answer, solution, inputs)


@pytest.mark.points(0.5, checks=["gradients that reach all three arguments"])
def test_gradients_reach_every_argument(answer, solution, draw):
    for bounds in ({}, {"low": -1e3, "high": 1e3}):  # where tanh is flat, the gradient is 0, and not NaN
        inputs = _inputs(draw, dtype="float64", **bounds)
        answer.gradients(*inputs).flows_like(solution.gradients(*inputs))


@pytest.mark.points(0.5, checks=["gradients that reach all three arguments"])
def test_gradients_in_a_batch(answer, solution, draw):
    inputs = _inputs(draw, 2, dtype="float64")
    answer.gradients(*inputs).flows_like(solution.gradients(*inputs))


@pytest.mark.points(1, checks=[TENSORS_STAY])
def test_inputs_and_results_stay(answer, solution, draw):
    inputs = _inputs(draw, 2)
    first = answer(*inputs).leaves_arguments_alone()
    _check(answer, solution, _inputs(draw, 2))
    first.still_equals(solution(*inputs))


@pytest.mark.points(1, checks=["For every query $i$ and every key $j$, add the two vectors"])
def test_each_pair_has_a_score_of_its_own(answer, draw):
    queries, keys, ws = _inputs(draw, 2)
    scores = answer(queries, keys, ws).satisfies(lambda got: got.shape == (2, 3, 5), "scores of shape (2, 3, 5)")
    others = tensor(keys.array + draw(2, 5, 4, low=1) * (np.arange(5)[:, None] == 2))  # only key 2 is different
    kept = np.delete(scores.array, 2, axis=-1)
    same = "scores of all other pairs that stay as they are when one key is another one"
    answer(queries, others, ws).satisfies(lambda got: np.allclose(np.delete(got, 2, axis=-1), kept, atol=1e-5), same)
    answer(queries, others, ws).satisfies(
        lambda got: not np.allclose(got, scores.array), "different scores for another key"
    )
    twice = tensor(2 * ws.array)
    answer(queries, keys, twice).satisfies(
        lambda got: np.allclose(got, 2 * scores.array, rtol=1e-4, atol=1e-5), "scores that double when `ws` doubles"
    )
