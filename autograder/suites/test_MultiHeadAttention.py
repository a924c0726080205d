"""Hidden suite of MultiHeadAttention: masks of every shape, large and strongly negative scores, gradients."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, FLOAT64_SCALED, STATE, TENSORS_STAY
from autograder.suite.modules import (
    SMALL,
    build,
    build_both,
    compare_modules,
    expected_of,
    require_shares,
    require_weighted_sum,
    tensor,
)

SIZES = (6, 2)
# Every query may attend to something, and no two rows are equal.
MASK = np.array(
    [
        [True, False, True, True, False],
        [False, True, False, False, False],
        [True, True, False, True, True],
    ]
)


def _shapes(d_model):
    linear = {"weight": (d_model, d_model), "bias": (d_model,)}
    return {f"{layer}.{part}": shape for layer in ("Wq", "Wk", "Wv", "Wo") for part, shape in linear.items()}


def _weights(draw, d_model, mixes=True):
    """Return name -> weights of moderate size. Without `mixes`, `Wo` is the identity: other tests check `Wo`."""
    weights = {name: draw(*shape, **SMALL) for name, shape in _shapes(d_model).items()}
    return weights if mixes else weights | {"Wo.weight": np.eye(d_model), "Wo.bias": np.zeros(d_model)}


def _inputs(draw, *batch, n_q=3, n_k=5, d_model=6, **how):
    return [draw(*batch, n, d_model, **SMALL, **how) for n in (n_q, n_k, n_k)]


def _compare(answer, solution, draw, *several, dtype="float32"):
    compare_modules(answer, solution, SIZES, _weights(draw, 6, mixes=False), *several, dtype=dtype)


def _compare_digits(answer, solution, draw, *mask):
    """Compare the module with the solution's in float64, with small scores and a width whose root is an integer."""
    model, weights = answer.build(4, 1), {name: each / 3 for name, each in _weights(draw, 4).items()}
    model.set({name: tensor(each, "float64") for name, each in weights.items()}, by_name=False)
    inputs = [*_inputs(draw, 1, n_q=9, n_k=9, d_model=4, exact=False), *mask]
    expected = expected_of(solution, (4, 1), weights, *inputs)
    model(*(tensor(each, "float64") for each in inputs)).equals(expected, rtol=FLOAT64_SCALED)


def _hiding(draw, *shape):
    """Return a mask of this shape that hides one key from all queries, and another from none."""
    mask = draw(*shape) > 0
    mask[..., 1], mask[..., 3] = True, False
    return mask


def _gradients(answer, solution, draw, *inputs):
    weights, inputs = _weights(draw, 6), [tensor(numbers, "float64") for numbers in inputs]
    model, same = (build(thing, SIZES, weights, "float64") for thing in (answer, solution))
    model.gradients(*inputs).flows_like(same.gradients(*inputs))


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    queries, keys = [[2, 0, 0, 1], [0, 3, 1, 0]], [[1, 0, 0, 1], [0, 1, 0, 2], [1, 1, 3, 0]]
    values = [[3, 0, 1, 0], [0, 3, 0, 1], [0, 0, 2, 2]]
    weights = {name: np.zeros(shape) for name, shape in _shapes(4).items()}
    for layer, factor, bias in (("Wq", 1, 0), ("Wk", 0.5, 0), ("Wv", 1, 0), ("Wo", 2, 1)):
        weights[f"{layer}.weight"], weights[f"{layer}.bias"] = factor * np.eye(4), np.full(4, bias)
    model = build(answer, (4, 2), weights, "float64")
    reply = model(*(tensor(numbers, "float64") for numbers in (queries, keys, values)))
    reply.equals(expected_of(solution, (4, 2), weights, queries, keys, values))


@pytest.mark.points(1, checks=["names and shapes of the parameters"])
def test_parameters(answer, draw):
    model = build(answer, SIZES, _weights(draw, 6)).has_parameters(_shapes(6))
    model(*map(tensor, _inputs(draw, 2, n_q=4, n_k=4))).leaves_arguments_alone()
    model.has_parameters(_shapes(6))


@pytest.mark.points(1, checks=["If `num_heads` does not divide `d_model`."])
def test_heads_that_do_not_divide(answer):
    for d_model, num_heads in ((4, 3), (6, 4), (8, 12)):
        answer(d_model, num_heads).raises("ValueError")


@pytest.mark.points(2, checks=["Attention with several heads, computed at the same time.", "float32 and float64"])
def test_as_many_keys_as_queries(answer, solution, draw):
    _compare(answer, solution, draw, *(_inputs(draw, *batch, n_q=4, n_k=4) for batch in ((2,), (4,), (1,))))
    _compare_digits(answer, solution, draw)


@pytest.mark.points(1, checks=["different numbers of queries and keys"])
def test_other_sizes(answer, solution, draw):
    # Several heads, one head, and heads of width 1 with one query.
    for d_model, num_heads, n_q, n_k in ((12, 3, 2, 7), (4, 1, 3, 5), (3, 3, 1, 4)):
        inputs = _inputs(draw, 2, n_q=n_q, n_k=n_k, d_model=d_model)
        compare_modules(answer, solution, (d_model, num_heads), _weights(draw, d_model), inputs)
    several = _inputs(draw, 4), _inputs(draw, 1), _inputs(draw, 2, n_q=2, n_k=2), _inputs(draw, 1, n_q=5, n_k=1)
    compare_modules(answer, solution, SIZES, _weights(draw, 6), *several)


@pytest.mark.points(1, checks=["any leading batch dimensions, or none, the same for queries, keys and values"])
def test_no_batch_axis_or_two(answer, solution, draw):
    # No mask, as in most tests, so that a mistake in the mask costs only the points of the mask tests.
    _compare(answer, solution, draw, _inputs(draw), _inputs(draw, 2, 3))
    for d_model, num_heads, n_q, n_k in ((12, 3, 2, 7), (4, 1, 3, 5), (3, 3, 1, 4)):
        inputs = _inputs(draw, n_q=n_q, n_k=n_k, d_model=d_model)
        weights = _weights(draw, d_model, mixes=False)
        compare_modules(answer, solution, (d_model, num_heads), weights, inputs)


@pytest.mark.points(1, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    # Scores in the thousands, close and far apart. In double precision, it does not matter when they are scaled.
    queries, keys, values = _inputs(draw, 1, n_q=4, n_k=4, exact=False)
    several = [(scale * queries, scale * keys + keys.round(), values) for scale in (50, 150)]
    _compare(answer, solution, draw, *several, dtype="float64")


@pytest.mark.points(
    2, checks=["Tensor of bool, broadcastable to (..., num_heads, n_q, n_k), optional", "float32 and float64"]
)
def test_masks_of_every_shape(answer, solution, draw):
    # Masks for all, each sentence, each head, each head of each sentence, and with a head axis of size 1 or 2.
    several = [[*_inputs(draw, 3, n_q=4, n_k=4), np.tri(4, dtype=bool)]]  # a square mask first: its transpose fits
    several += [[*_inputs(draw, 4), MASK], [*_inputs(draw, 2, n_k=1), MASK[:, :1] | True]]
    shapes = (2, (5,)), (3, (3, 1, 1, 5)), (3, (3, 1, 3, 5)), (4, (2, 1, 5)), (3, (3, 2, 3, 5)), (2, (1, 3, 5))
    for batch, shape in shapes:
        several.append([*_inputs(draw, batch), _hiding(draw, *shape)])
    several += [[*_inputs(draw, *batch), mask] for batch in ((), (2, 3)) for mask in (MASK, MASK[0])]
    several += [[*_inputs(draw, *batch), _hiding(draw, 2, 3, 5)] for batch in ((), (2,))]  # for each head alone
    several.append([*_inputs(draw, 2, 3), _hiding(draw, 2, 3, 1, 3, 5)])
    several.append(_inputs(draw, 2, 3))  # without the mask again
    _compare(answer, solution, draw, *several)
    _compare_digits(answer, solution, draw, np.tri(9, dtype=bool))


@pytest.mark.points(2, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_mask_below_strongly_negative_scores(answer, solution, draw):
    # Scores of every head are near -3000, so a fill of -100 would be the largest. Then hidden ones are near 3000.
    weights = _weights(draw, 4, mixes=False)
    weights["Wq.weight"], weights["Wk.weight"] = np.eye(4), np.eye(4)
    queries, values = np.full((1, 3, 4), 50.0), draw(1, 5, 4)
    keys = np.full((1, 5, 4), -43.0) + np.array([0, 1, -1, 2, 0.5])[:, None] / 64
    several = (queries, keys, values, MASK), (queries, np.where(MASK[0, :, None], keys, -keys), values, MASK[0])
    compare_modules(answer, solution, (4, 2), weights, *several, dtype="float64")


@pytest.mark.points(1, checks=["gradients for all of them"])
def test_gradients(answer, solution, draw):
    _gradients(answer, solution, draw, *_inputs(draw, 2, n_q=4, n_k=4))


@pytest.mark.points(1, checks=["gradients for all of them"])
def test_gradients_under_a_mask(answer, solution, draw):
    _gradients(answer, solution, draw, *_inputs(draw, 2), MASK)


@pytest.mark.points(1, checks=[STATE, TENSORS_STAY])
def test_calls_and_instances_do_not_depend_on_each_other(answer, solution, draw):
    weights, inputs, others = _weights(draw, 6, mixes=False), [*_inputs(draw, 2), MASK], _inputs(draw, 2)
    state = build(answer, SIZES, weights, by_name=False).method("state_dict").value
    model, expected = answer.build(*SIZES), expected_of(solution, SIZES, weights, *inputs)
    model.method("load_state_dict", state).leaves_arguments_alone()
    answer(6, 3)
    first = model(*map(tensor, inputs)).leaves_arguments_alone()
    model(*map(tensor, others)).equals(expected_of(solution, SIZES, weights, *others))  # without the mask again
    first.still_equals(expected)
    model(*map(tensor, inputs)).equals(expected)


@pytest.mark.points(
    2,
    checks=[
        "is 0 where the query may attend to nothing",
        "gradients that are not NaN where a query may attend to nothing",
    ],
)
def test_a_row_that_may_attend_to_nothing(answer, solution, draw):
    of_rows, of_sentences = MASK.copy(), np.zeros((3, 1, 1, 5), dtype=bool)
    of_rows[1] = False
    of_sentences[1:, ..., :2], of_sentences[2, ..., 4] = True, True
    several = [*_inputs(draw, 2), of_rows], [*_inputs(draw, 3), of_sentences], [*_inputs(draw, 1), of_sentences[:1]]
    compare_modules(answer, solution, SIZES, _weights(draw, 6), *several)
    _gradients(answer, solution, draw, *several[0])  # NaN that was replaced afterwards is still NaN in the gradients
    answer.build(*SIZES)(*map(tensor, several[0])).leaves_arguments_alone()


@pytest.mark.points(2, checks=["Each row sums to 1"])
def test_weights_are_shares(answer, solution, draw):
    for batch in ((2,), (5,)):
        model, _ = build_both(answer, solution, SIZES, _weights(draw, 6))
        require_shares(model(*map(tensor, _inputs(draw, *batch, n_q=4, n_k=4))))


@pytest.mark.points(1, checks=["Attend in every head, and mix the results of the heads."])
def test_output_is_a_mixture(answer, solution, draw):
    for batch in ((2,), (4,)):
        weights, inputs = _weights(draw, 6, mixes=False) | {"Wv.bias": np.zeros(6)}, _inputs(draw, *batch, n_q=4, n_k=4)
        values = inputs[2] @ weights["Wv.weight"].T
        heads = values.reshape(*values.shape[:-1], 2, 3).swapaxes(-3, -2)
        model, _ = build_both(answer, solution, SIZES, weights)
        require_weighted_sum(model(*map(tensor, inputs)), heads)
