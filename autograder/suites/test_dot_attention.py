"""Hidden suite of dot_attention: sizes, batches, dtypes, large scores, and gradients for every argument."""

import numpy as np
import pytest

from autograder.suite import APART, EXAMPLES, FLOAT64_SCALED, TENSORS_STAY, named
from autograder.suite.modules import require_shares, require_weighted_sum, tensor

FEW_DIGITS = 1e-3  # tolerance: in float32, `exp(x - logsumexp(x))` keeps few digits for large x
WORDS = [[0, 0, 0, 1], [0, 1, 0.25, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0.5, 0]]
WQ, WK = [[4, 0], [0, 3], [2, 0], [2, 0]], [[0, 0], [1, 0], [0, 1], [0, 0]]
WV = [[0, 1], [1, 0], [1, 0], [0, 0]]


def _inputs(draw, *batch, n=3, d_in=5, d_k=4, dtype="float32"):
    """Return the arguments with small numbers, because large scores saturate softmax and hide a wrong scale."""
    inp, matrices = draw(*batch, n, d_in, low=-1.5, high=1.5), draw(3, d_in, d_k, low=-1, high=1)
    return [tensor(numbers, dtype) for numbers in (inp, *matrices)]


def _check(answer, solution, inputs, **how):
    return answer(*inputs).equals(named("output weights", solution(*inputs)), **how)


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer, solution):
    _check(answer, solution, [tensor(numbers) for numbers in (WORDS, WQ, WK, WV)])


@pytest.mark.points(
    0.75, checks=["Let every token attend to all tokens of its sentence, with learned queries, keys and values."]
)
def test_other_sizes(answer, solution, draw):
    for n, d_in, d_k in ((3, 5, 4), (4, 2, 9), (7, 6, 3), (1, 6, 3), (5, 1, 2), (2, 3, 1), (4, 4, 4)):
        _check(answer, solution, _inputs(draw, n=n, d_in=d_in, d_k=d_k))


@pytest.mark.points(
    0.75,
    checks=[
        "any number of leading batch dimensions of `inp`",
        "float32 and float64 (float64 stays float64)",
        APART,
    ],
)
def test_batches_and_number_types(answer, solution, draw):
    for batch, dtype in (((2,), "float32"), ((2, 3), "float64"), ((1,), "float64"), ((3, 1, 2), "float32")):
        _check(answer, solution, _inputs(draw, *batch, dtype=dtype))
    _check(answer, solution, [tensor(each.array, apart=True) for each in _inputs(draw, 2, 3)])
    for n in (3, 4):  # all sizes are equal, so that a wrong transpose raises no error about shapes
        _check(answer, solution, _inputs(draw, n, n=n, d_in=n, d_k=n))
    exact = [tensor(draw(n, width, low=-1, high=1, exact=False), "float64") for n, width in ((9, 8), *[(8, 4)] * 3)]
    _check(answer, solution, exact, rtol=FLOAT64_SCALED)


@pytest.mark.points(0.75, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    # In double precision, `exp(x - logsumexp(x))` keeps its digits, too. Scores are integers, divided by sqrt(16) = 4.
    inp, wq, wk = np.eye(4, 5), np.zeros((5, 16)), np.zeros((5, 16))
    wq[:4, 0], wk[:4, 0] = (400, -400, 4, 40), (400, 396, -400, 8)
    inputs = [tensor(numbers, "float64") for numbers in (inp, wq, wk, draw(5, 16))]
    _check(answer, solution, inputs)
    _check(answer, solution, [tensor(inp / 16), *(tensor(each.array) for each in inputs[1:])], rtol=FEW_DIGITS)
    # Scores of 40,000 that differ by fractions, which float32 would change.
    wk[:4, 0] = (400.003, 400.001, 399.997, 399.99)
    for scale in (1, 24):  # scores up to nearly a million
        numbers = inp, scale * wq, wk, draw(5, 16)
        _check(answer, solution, [tensor(each, "float64") for each in numbers])


@pytest.mark.points(1, checks=["gradients that reach all four arguments"])
def test_gradients_reach_every_argument(answer, solution, draw):
    for batch in ((), (2,)):
        inputs = _inputs(draw, *batch)
        answer.gradients(*inputs).flows_like(solution.gradients(*inputs))


@pytest.mark.points(2.75, checks=["gradients that reach all four arguments"])
def test_no_argument_is_cut_off(answer, draw):
    # The test above checks the gradients themselves.
    reply = answer.gradients(*_inputs(draw, n=2, d_in=3, d_k=2))
    for name, gradient in zip(("inp", "wq", "wk", "wv"), reply.value["arguments"], strict=True):
        if gradient is None:
            reply.fails(f"passes no gradient to {name}")


@pytest.mark.points(0.5, checks=[TENSORS_STAY])
def test_inputs_and_results_stay(answer, solution, draw):
    answer(*_inputs(draw, 2)).leaves_arguments_alone()
    inputs = _inputs(draw, 2, d_k=1)  # with width 1, nothing is scaled
    first = answer(*inputs)
    answer(*_inputs(draw, 2, d_k=1))
    first.still_equals(named("output weights", solution(*inputs)))


@pytest.mark.points(0.5, checks=["Row i says how much each token contributed to output i, and sums to 1."])
def test_weights_are_shares(answer, draw):
    require_shares(answer(*_inputs(draw)))


@pytest.mark.points(0.5, checks=["The weighted sum of the values for each token."])
def test_output_is_a_mixture(answer, draw):
    inputs = _inputs(draw, 2)
    require_weighted_sum(answer(*inputs), inputs[0].array @ inputs[3].array)
