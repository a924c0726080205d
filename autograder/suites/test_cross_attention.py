"""Hidden suite of cross_attention: sizes, batches, dtypes, large scores and gradients."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, FLOAT64_SCALED, TENSORS_STAY, named
from autograder.suite.modules import require_shares, require_weighted_sum, tensor

EXAMPLE = [[2, 0], [0, 2]], [[1, 0], [0, 1], [1, 1]], [[8], [0], [4]]


def _inputs(draw, *batch, n_q=3, n_k=5, d=4, d_v=6, dtype="float32"):
    """Return queries, keys and values, small because large scores saturate softmax and hide a wrong scale."""
    small = {"low": -1.5, "high": 1.5}
    numbers = draw(*batch, n_q, d, **small), draw(*batch, n_k, d, **small), draw(*batch, n_k, d_v)
    return [tensor(each, dtype) for each in numbers]


def _agrees(answer, solution, *inputs, **how):
    return answer(*inputs).leaves_arguments_alone().equals(named("context weights", solution(*inputs)), **how)


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer, solution):
    _agrees(answer, solution, *(tensor(numbers, "float64") for numbers in EXAMPLE))


@pytest.mark.points(1, checks=["sentences of different lengths", "values of a different width"])
def test_other_sizes(answer, solution, draw):
    for n_q, n_k, d, d_v in ((3, 5, 4, 6), (4, 2, 9, 1), (1, 6, 3, 2), (5, 1, 2, 3), (2, 3, 1, 4), (4, 4, 4, 4)):
        _agrees(answer, solution, *_inputs(draw, n_q=n_q, n_k=n_k, d=d, d_v=d_v))


@pytest.mark.points(1, checks=["any number of leading batch dimensions, or none", "float32 and float64"])
def test_batches_and_number_types(answer, solution, draw):
    for batch, d, dtype in (
        ((2,), 1, "float32"),
        ((2, 3), 4, "float64"),
        ((1,), 4, "float64"),
        ((3, 1, 2), 4, "float32"),
    ):
        _agrees(answer, solution, *_inputs(draw, *batch, d=d, d_v=d, dtype=dtype))
    for n in (3, 4):  # all sizes are equal, so that a wrong transpose raises no error about shapes
        _agrees(answer, solution, *_inputs(draw, n, n_q=n, n_k=n, d=n, d_v=n))
    exact = [tensor(draw(2, n, 4, low=-1.5, high=1.5, exact=False), "float64") for n in (9, 8, 8)]
    _agrees(answer, solution, *exact, rtol=FLOAT64_SCALED)


@pytest.mark.points(0.5, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    # In double precision, `exp(x - logsumexp(x))` keeps its digits, too. Scores are integers, divided by sqrt(16) = 4.
    queries, keys = np.zeros((4, 16)), np.zeros((4, 16))
    queries[:, 0], keys[:, 0] = (400, -400, 4, 40), (400, 396, -400, 8)
    for scale in (1, 24):  # scores up to nearly a million
        _agrees(answer, solution, *(tensor(each, "float64") for each in (scale * queries, keys, draw(4, 16))))


@pytest.mark.points(0.5, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores_with_fractions(answer, solution, draw):
    # Scores that are not exact in float32; then rows of scores that are far apart.
    queries, keys = 60 + draw(2, 3, 4, exact=False), 60 + draw(2, 5, 4, low=-1, high=1, exact=False) / 64
    _agrees(answer, solution, *(tensor(each, "float64") for each in (queries, keys, draw(2, 5, 4))))
    queries[0] -= 60
    _agrees(answer, solution, *(tensor(each, "float64") for each in (queries, keys, draw(2, 5, 4))))


@pytest.mark.points(1, checks=["gradients that reach all three"])
def test_gradients_reach_queries_keys_and_values(answer, solution, draw):
    for batch in ((2,), (5,)):
        inputs = _inputs(draw, *batch, dtype="float64")
        answer.gradients(*inputs).flows_like(solution.gradients(*inputs))


@pytest.mark.points(0.5, checks=[TENSORS_STAY])
def test_results_stay(answer, solution, draw):
    first, second = _inputs(draw, 2, d_v=4), _inputs(draw, 2, d_v=4)
    reply = answer(*first)
    _agrees(answer, solution, *second)
    reply.still_equals(named("context weights", solution(*first)))


@pytest.mark.points(0.5, checks=["Row i says how much each value counts in context i, and sums to 1."])
def test_weights_are_shares(answer, draw):
    for batch in ((2,), (5,)):
        require_shares(answer(*_inputs(draw, *batch)))


@pytest.mark.points(0.5, checks=["The weighted sum of the values for each query."])
def test_the_context_is_what_the_weights_make(answer, draw):
    for n_k in (5, 4):
        inputs = _inputs(draw, n_k=n_k)
        require_weighted_sum(answer(*inputs), inputs[2].array)
