"""Hidden suite of project_qkv: sizes, batches, dtypes, and gradients for every argument."""

import numpy as np
import pytest

from autograder.suite import APART, EXAMPLES, FLOAT64, TENSORS_STAY, named
from autograder.suite.modules import tensor

WORDS = [[0, 0, 0, 1], [0, 1, 0.25, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0.5, 0]]
WQ, WK = [[4, 0], [0, 3], [2, 0], [2, 0]], [[0, 0], [1, 0], [0, 1], [0, 0]]
WV = [[0, 1], [1, 0], [1, 0], [0, 0]]


def _inputs(draw, *batch, n=3, d_in=5, d_k=4, dtype="float32"):
    return [tensor(draw(*shape), dtype) for shape in ((*batch, n, d_in), *[(d_in, d_k)] * 3)]


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    for inputs in ((WORDS, WQ, WK, WV), (np.ones((2, 5, 3)), *np.ones((3, 3, 4)))):
        inputs = [tensor(numbers) for numbers in inputs]
        answer(*inputs).equals(named("q k v", solution(*inputs)))


@pytest.mark.points(1, checks=["the three products in the order q, k, v", TENSORS_STAY])
def test_other_sizes(answer, solution, draw):
    # First with equal sizes, where a transposed matrix, or a wrong order of the factors, only changes numbers.
    for n, d_in, d_k in ((4, 4, 4), (3, 5, 4), (4, 2, 9), (1, 6, 3), (5, 1, 2), (2, 3, 1), (1, 1, 1)):
        inputs = _inputs(draw, n=n, d_in=d_in, d_k=d_k)
        first = answer(*inputs).leaves_arguments_alone()
        answer(*_inputs(draw, n=n, d_in=d_in, d_k=d_k))
        first.still_equals(named("q k v", solution(*inputs)))


@pytest.mark.points(
    1, checks=["any number of leading batch dimensions of `inp`", "float32 and float64 (float64 stays float64)", APART]
)
def test_batches_and_number_types(answer, solution, draw):
    for batch, dtype in (((2,), "float32"), ((2, 3), "float64"), ((1,), "float64"), ((3, 1, 2), "float32")):
        inputs = _inputs(draw, *batch, dtype=dtype)
        answer(*inputs).equals(named("q k v", solution(*inputs)))
    exact = [tensor(draw(1, 1, exact=False), "float64") for _ in range(4)]  # not exact in float32
    answer(*exact).equals(named("q k v", solution(*exact)), rtol=FLOAT64)
    answer(*(tensor(each.array, apart=True) for each in inputs)).equals(named("q k v", solution(*inputs)))
    inputs = _inputs(draw, 3, n=3, d_in=3, d_k=3)
    answer(*inputs).equals(named("q k v", solution(*inputs)))


@pytest.mark.points(1, checks=["gradients that reach all four arguments"])
def test_gradients_reach_every_argument(answer, solution, draw):
    for batch in ((), (2,)):
        for results in ((0,), (1,), (2,)):
            inputs = _inputs(draw, *batch)
            expected = solution.gradients(*inputs, results=results)
            answer.gradients(*inputs, results=results).flows_like(expected)
