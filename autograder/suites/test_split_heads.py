"""Hidden suite of split_heads: numbers of heads that divide the width or do not, batches and gradients."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, TENSORS_STAY
from autograder.suite.modules import tensor


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    x = tensor(np.arange(12).reshape(3, 4))
    answer(x, 2).equals(solution(x, 2))


@pytest.mark.points(1, checks=["for any number of heads that divides `d`"])
def test_other_sizes(answer, solution, draw):
    # One head, one token, and as many heads as tokens.
    for n, d, num_heads in ((5, 12, 3), (7, 12, 4), (2, 8, 2), (3, 10, 2), (4, 3, 1), (1, 6, 2), (2, 5, 5)):
        x = tensor(draw(n, d))
        answer(x, num_heads).equals(solution(x, num_heads))


@pytest.mark.points(1, checks=["for any number of heads that divides `d`"])
def test_heads_of_one_number(answer, solution, draw):
    for *batch, n, d in ((8, 4), (3, 10, 5), (2, 1, 6, 3), (4, 1)):
        x = tensor(draw(*batch, n, d))
        answer(x, d).equals(solution(x, d))


@pytest.mark.points(1.5, checks=["Cut each token into equal parts, one for each head."])
def test_what_a_head_gets(answer, solution, draw):
    # Each row of the result is a piece of one token, whichever axis is that of the heads. The number of tokens can be
    # divided by the number of heads, too, so that an answer that checks the wrong axis gets these points.
    for n, d, num_heads in ((6, 12, 3), (4, 6, 2), (5, 10, 5)):
        x = tensor(draw(n, d, exact=False))
        pieces = _sorted_rows(solution(x, num_heads).array)
        answer(x, num_heads).satisfies(
            lambda got, pieces=pieces: np.allclose(_sorted_rows(got), pieces),
            f"{num_heads} pieces of {d // num_heads} neighbouring numbers for each token",
        )


def _sorted_rows(array):
    return sorted(array.reshape(-1, array.shape[-1]).tolist())


@pytest.mark.points(
    1,
    checks=[
        "any leading batch dimensions, or none",
        "tensors that have been transposed, so that they are not contiguous in memory",
    ],
)
def test_batches(answer, solution, draw):
    for batch in ((2,), (2, 3), (1,), (3, 1, 2)):
        x = tensor(draw(*batch, 5, 12))
        answer(x, 3).equals(solution(x, 3))
    for batch, apart in (((2,), False), ((2,), True), ((2, 3), True)):  # `view` refuses non-contiguous tensors
        x = tensor(draw(*batch, 2, 4), "float64", apart=apart)
        answer(x, 2).equals(solution(x, 2))


@pytest.mark.points(1, checks=["If `num_heads` does not divide d."])
def test_heads_that_do_not_divide(answer, draw):
    # With and without a batch, because `b, n, d = x.shape` also raises a ValueError for another reason.
    for shape, num_heads in (((3, 4), 3), ((2, 3, 6), 4), ((2, 3, 4, 9), 2), ((5, 4), 8), ((2, 5, 4), 12)):
        answer(tensor(draw(*shape)), num_heads).raises("ValueError")


@pytest.mark.points(0.75, checks=["gradients that reach `x`"])
def test_gradients(answer, solution, draw):
    for shape in ((3, 6), (2, 9, 6)):
        x = tensor(draw(*shape))
        answer.gradients(x, 3).flows_like(solution.gradients(x, 3))


@pytest.mark.points(0.75, checks=[TENSORS_STAY])
def test_inputs_stay(answer, solution, draw):
    x = tensor(draw(2, 8, 4))
    first = answer(x, 4).leaves_arguments_alone()
    answer(tensor(draw(2, 8, 4)), 4)
    first.still_equals(solution(x, 4))
