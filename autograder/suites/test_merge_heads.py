"""Hidden suite of merge_heads: sizes, batches, tensors that are not contiguous, a single head, and gradients."""

import pytest

from autograder.suite import EXAMPLES, TENSORS_STAY
from autograder.suite.modules import tensor

HEADS = [[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]]


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    answer(tensor(HEADS)).equals(solution(tensor(HEADS)))


@pytest.mark.points(1.25, checks=["the exact inverse of `split_heads`, for any sizes"])
def test_other_sizes(answer, solution, draw):
    # One head, one token, heads of width 1, equal numbers of heads and tokens or numbers, and all sizes different.
    for shape in ((3, 5, 4), (4, 3, 2), (2, 2, 3), (2, 5, 2), (1, 4, 3), (3, 1, 2), (5, 2, 1), (1, 1, 1), (3, 3, 3)):
        x = tensor(draw(*shape))
        answer(x).equals(solution(x))


@pytest.mark.points(1, checks=["any leading batch dimensions, or none", "tensors that are not contiguous in memory"])
def test_batches(answer, solution, draw):
    for batch in ((2,), (2, 3), (1,), (3, 1, 2), (4,)):
        x = tensor(draw(*batch, 4, 5, 3))
        answer(x).equals(solution(x))
    for batch, apart in (((2,), False), ((2,), True), ((2, 3), True)):
        x = tensor(draw(*batch, 2, 2, 2), "float64", apart=apart)
        answer(x).equals(solution(x))


@pytest.mark.points(1, checks=["gradients that reach `x`"])
def test_gradients(answer, solution, draw):
    for shape in ((1, 3, 5, 2), (2, 3, 5, 2)):
        x = tensor(draw(*shape))
        answer.gradients(x).flows_like(solution.gradients(x))


@pytest.mark.points(1, checks=[TENSORS_STAY])
def test_inputs_stay(answer, solution, draw):
    x = tensor(draw(2, 3, 5, 4))
    first = answer(x).leaves_arguments_alone()
    answer(tensor(draw(2, 3, 5, 4)))
    first.still_equals(solution(x))


@pytest.mark.points(0.75, checks=["the exact inverse of `split_heads`, for any sizes"])
def test_one_head(answer, solution, draw):
    # Only one head has to be merged.
    for shape in ((3, 1, 5, 4), (2, 1, 3, 4)):
        x = tensor(draw(*shape))
        answer(x).equals(solution(x))
