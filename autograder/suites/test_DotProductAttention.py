"""Hidden suite of DotProductAttention: masks of any shape, hidden keys, rows without keys, large scores, gradients."""

import numpy as np
import pytest

from autograder.suite import APART, EXAMPLES, FLOAT64_SCALED, TENSORS_STAY, named
from autograder.suite.modules import require_shares, require_weighted_sum, tensor

QUERIES, KEYS = [[2, 0], [0, 2]], [[1, 0], [0, 1], [1, 1]]
VALUES = [[3, 0, 0], [0, 3, 0], [0, 0, 3]]
# Every query may attend to something, and no two rows are equal.
MASK = np.array(
    [
        [True, False, True, True, False],
        [False, True, False, False, False],
        [True, True, False, True, True],
    ]
)


def _inputs(draw, *batch, n_q=3, n_k=5, d_k=1, d_v=1, dtype="float32"):
    """Return queries, keys and values, small because large scores saturate softmax and hide a wrong scale.

    Tests that do not check the scale use width 1 everywhere: then nothing is scaled, whichever width is used.
    """
    small = {"low": -1.5, "high": 1.5}
    numbers = draw(*batch, n_q, d_k, **small), draw(*batch, n_k, d_k, **small), draw(*batch, n_k, d_v)
    return [tensor(each, dtype) for each in numbers]


def _check(model, same, *inputs, **how):
    return model(*inputs).equals(named("attn_output attn_matrix", same(*inputs)), **how)


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer, solution):
    _check(answer.build(), solution.build(), *(tensor(numbers) for numbers in (QUERIES, KEYS, VALUES)))


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example_with_a_mask(answer, solution):
    inputs = *(tensor(numbers) for numbers in (QUERIES, KEYS, VALUES)), tensor([True, True, False])
    _check(answer.build(), solution.build(), *inputs)


@pytest.mark.points(1, checks=["different numbers of queries and keys, and values of any width"])
def test_other_sizes(answer, solution, draw):
    model, same = answer.build(), solution.build()
    for n_q, n_k, d_k, d_v in ((3, 5, 4, 6), (4, 2, 9, 1), (1, 6, 3, 2), (5, 1, 2, 3), (2, 3, 1, 4), (4, 4, 4, 4)):
        _check(model, same, *_inputs(draw, n_q=n_q, n_k=n_k, d_k=d_k, d_v=d_v))


@pytest.mark.points(
    1,
    checks=[
        "any number of leading batch dimensions, the same for queries, keys and values",
        "float32 and float64",
        APART,
    ],
)
def test_batches_and_number_types(answer, solution, draw):
    model, same = answer.build(), solution.build()
    for batch, dtype in (((2,), "float32"), ((2, 3), "float64"), ((1,), "float64"), ((3, 1, 2), "float32")):
        _check(model, same, *_inputs(draw, *batch, d_k=4, d_v=6, dtype=dtype))
    _check(model, same, *(tensor(each.array, apart=True) for each in _inputs(draw, 2, 3, d_k=4, d_v=6)))
    for n in (3, 4):  # all sizes are equal, so that a wrong transpose raises no error about shapes
        _check(model, same, *_inputs(draw, n, n_q=n, n_k=n, d_k=n, d_v=n))
    exact = [tensor(draw(n, 4, low=-1.5, high=1.5, exact=False), "float64") for n in (9, 8, 8)]
    _check(model, same, *exact, rtol=FLOAT64_SCALED)


@pytest.mark.points(1, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    model, same = answer.build(), solution.build()
    # In double precision, `exp(x - logsumexp(x))` keeps its digits, too. Scores are integers, divided by sqrt(16) = 4.
    queries, keys = np.zeros((4, 16)), np.zeros((4, 16))
    queries[:, 0], keys[:, 0] = (400, -400, 4, 40), (400, 396, -400, 8)
    values = draw(4, 6)
    for scale, n in ((1, 4), (24, 4), (1, 2)):  # scores up to nearly a million
        _check(model, same, *(tensor(each[:n], "float64") for each in (scale * queries, keys, values)))


@pytest.mark.points(1, checks=["True where the query may attend to the key."])
def test_mask(answer, solution, draw):
    model, same = answer.build(), solution.build()
    # First as many queries as keys, so that a transposed mask fits, too. Every query has a hidden key.
    square = (np.tri(4) > 0) & (np.arange(4) != [[1], [2], [3], [1]])
    _check(model, same, *_inputs(draw, n_q=4, n_k=4, dtype="float64"), tensor(square)).leaves_arguments_alone()
    _check(model, same, *_inputs(draw, n_q=4, n_k=4))  # without the mask again
    for batch, dtype in (((), "float64"), ((2,), "float32"), ((2, 3), "float32")):
        _check(model, same, *_inputs(draw, *batch, dtype=dtype), tensor(MASK)).leaves_arguments_alone()
    _check(model, same, *_inputs(draw, n_k=1), tensor(MASK[:, :1] | True))
    exact = [tensor(draw(2, n, 1, low=-1.5, high=1.5, exact=False), "float64") for n in (3, 5, 5)]
    _check(model, same, *exact, tensor(MASK), rtol=FLOAT64_SCALED)
    queries, keys = np.zeros((4, 16)), np.zeros((4, 16))
    queries[:, 0], keys[:, 0] = (25, -25, 0.25, 2.5), (400, 396, -400, 8)
    # Scores of 2,500: far below the 10,000 that some answers use to hide keys.
    _check(model, same, *(tensor(each, "float64") for each in (queries, keys, draw(4, 16))), tensor(np.tri(4) > 0))


@pytest.mark.points(1, checks=["given in any shape that broadcasts"])
def test_masks_of_every_shape(answer, solution, draw):
    model, same = answer.build(), solution.build()
    for batch, shape in (((2,), (2, 3, 5)), ((2,), (2, 1, 5)), ((2, 3), (3, 1, 5)), ((2, 3), (2, 1, 3, 5))):
        mask = draw(*shape) > 0
        mask[..., 1], mask[0, ..., 3] = True, False
        _check(model, same, *_inputs(draw, *batch), tensor(mask))
    for batch, mask in (((), MASK[0]), ((2, 3), MASK[2]), ((2,), MASK[:, :1] | True), ((2,), MASK[None])):
        _check(model, same, *_inputs(draw, *batch), tensor(mask))
        _check(model, same, *_inputs(draw, *batch))


@pytest.mark.points(1, checks=["Let every query attend to all keys that it may see, and mix their values."])
def test_what_is_hidden_does_not_matter(answer, solution, draw):
    model, same = answer.build(), solution.build()
    queries, keys, values = _inputs(draw, 2)
    mask = np.array([True, True, False, True, False])
    expected = named("attn_output attn_matrix", same(queries, keys, values, tensor(mask)))
    keys.array[:, ~mask], values.array[:, ~mask] = draw(2, 2, 1), draw(2, 2, 1, low=-60, high=60)
    model(queries, keys, values, tensor(mask)).equals(expected)
    # All scores are near -5000, so a fill of -100 would be the largest.
    keys = np.full((5, 1), -50.0)
    keys[:, 0] += np.array([0.0, 0.03125, -0.03125, 0.0625, 0.015625])
    queries = np.full((3, 1), 100.0) + draw(3, 1, low=0, high=0.5).round()
    _check(model, same, *(tensor(each, "float64") for each in (queries, keys, draw(5, 1))), tensor(MASK))


def _gradients(answer, solution, *inputs):
    answer.build().gradients(*inputs).flows_like(solution.build().gradients(*inputs))


@pytest.mark.points(0.5, checks=["gradients that reach queries, keys and values"])
def test_gradients_reach_queries_keys_and_values(answer, solution, draw):
    for batch in ((), (2,)):
        _gradients(answer, solution, *_inputs(draw, *batch))


@pytest.mark.points(0.5, checks=["gradients that reach queries, keys and values"])
def test_gradients_under_a_mask(answer, solution, draw):
    for batch, mask in (((), MASK), ((2,), MASK[None, :1])):
        _gradients(answer, solution, *_inputs(draw, *batch), tensor(mask))


@pytest.mark.points(1, checks=["It has no parameters.", TENSORS_STAY])
def test_nothing_to_train_and_nothing_changed(answer, solution, draw):
    model, same = answer.build(), solution.build()
    inputs = _inputs(draw, 2)
    first = model(*inputs)
    # Wider queries, because dividing by the square root of 1 in place would change nothing.
    model(*_inputs(draw, 2, d_k=4, d_v=6)).leaves_arguments_alone()
    model(*_inputs(draw, 2))
    first.still_equals(named("attn_output attn_matrix", same(*inputs)))
    model.has_parameters({})


@pytest.mark.points(1, checks=["If query i may attend to nothing, its weights and its output are 0"])
def test_a_row_that_may_attend_to_nothing(answer, solution, draw):
    model, same = answer.build(), solution.build()
    mask = MASK.copy()
    mask[1] = False
    _check(model, same, *_inputs(draw), tensor(mask)).leaves_arguments_alone()
    _check(model, same, *_inputs(draw, 2), tensor([[[True, True, False, False, False]], [[False] * 5]]))
    _check(model, same, *_inputs(draw), tensor([False] * 5))  # a mask in which nothing is True


@pytest.mark.points(0.5, checks=["Row i sums to 1"])
def test_weights_are_shares(answer, draw):
    for batch in ((), (2,)):
        require_shares(answer.build()(*_inputs(draw, *batch, d_k=4, d_v=6)))


@pytest.mark.points(0.5, checks=["Row i sums to 1"])
def test_weights_are_shares_under_a_mask(answer, draw):
    for batch in ((), (2,)):
        require_shares(answer.build()(*_inputs(draw, *batch, d_k=4, d_v=6), tensor(MASK)), MASK)


@pytest.mark.points(1, checks=["The weighted sum of the values for each query."])
def test_output_is_a_mixture(answer, draw):
    for batch in ((), (2,)):
        inputs = _inputs(draw, *batch, d_k=4, d_v=6)
        require_weighted_sum(answer.build()(*inputs), inputs[2].array)
