"""Hidden suite of GroupedQueryAttention: groups of every size, also in batches, masks, large scores and gradients."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, STATE, TENSORS_STAY
from autograder.suite.modules import (
    SMALL,
    build,
    build_by_shape,
    compare_modules,
    expected_of,
    require_shares,
    require_weighted_sum,
    tensor,
)

SIZES = (8, 4, 2)
ALONE = (8, 4, 4)  # every head is its own group, for tests that do not check groups
# Every query may attend to something, and no two rows are equal.
MASK = np.array(
    [
        [True, False, True, True, False],
        [False, True, False, False, False],
        [True, True, False, True, True],
    ]
)


def _shapes(d_model, num_heads, num_kv_heads):
    width = {"Wq": d_model, "Wk": num_kv_heads * (d_model // num_heads), "Wo": d_model}
    width["Wv"] = width["Wk"]
    return {
        f"{layer}.{part}": shape
        for layer in ("Wq", "Wk", "Wv", "Wo")
        for part, shape in (("weight", (width[layer], d_model)), ("bias", (width[layer],)))
    }


def _weights(draw, sizes):
    return {name: draw(*shape, **SMALL) for name, shape in _shapes(*sizes).items()}


def _inputs(draw, *batch, n_q=3, n_k=5, d_model=8, **how):
    return [draw(*batch, n, d_model, **SMALL, **how) for n in (n_q, n_k, n_k)]


def _alike(draw, sizes):
    """Return name -> weights, equal for keys and values, so that using one layer for both has no effect."""
    weights = _weights(draw, sizes)
    no_bias = np.zeros_like(weights["Wk.bias"])
    return weights | {"Wv.weight": weights["Wk.weight"], "Wk.bias": no_bias, "Wv.bias": no_bias}


def _compare(answer, solution, draw, sizes, *several, dtype="float32", make=_weights):
    compare_modules(answer, solution, sizes, make(draw, sizes), *several, dtype=dtype)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    queries, keys = [[1, 0, 0, 2, 1, 1, 2, 0]], [[1, 2, 0, 2, 1, 2, 0, 2], [0, 1, 3, 1, 0, 1, 3, 1]]
    weights = {name: np.eye(*shape) if len(shape) > 1 else np.zeros(shape) for name, shape in _shapes(*SIZES).items()}
    weights["Wo.bias"] += 1
    model = build(answer, SIZES, weights, "float64")
    reply = model(*(tensor(numbers, "float64") for numbers in (queries, keys, keys)))
    reply.equals(expected_of(solution, SIZES, weights, queries, keys, keys))


@pytest.mark.points(1, checks=["names and shapes of the parameters"])
def test_parameters(answer, draw):
    for sizes in (SIZES, (6, 3, 1), (4, 2, 2)):
        model = build(answer, sizes, _weights(draw, sizes)).has_parameters(_shapes(*sizes))
        model(*map(tensor, _inputs(draw, 2, d_model=sizes[0]))).leaves_arguments_alone()
        model.has_parameters(_shapes(*sizes))


@pytest.mark.points(2, checks=["any number of key heads from one to all"])
def test_groups_of_every_size(answer, solution, draw):
    # From one group for all heads to one for each head (multi-head attention); also one head, and heads of width 1.
    for sizes in ((4, 4, 1), (8, 4, 2), (8, 4, 4), (12, 6, 2), (12, 6, 3), (4, 1, 1), (6, 2, 1), (8, 8, 4)):
        _compare(answer, solution, draw, sizes, _inputs(draw, 5, d_model=sizes[0]))


@pytest.mark.points(1, checks=["different numbers of queries and keys"])
def test_other_lengths(answer, solution, draw):
    several = [_inputs(draw, n_q=n_q, n_k=n_k) for n_q, n_k in ((1, 4), (5, 1), (4, 4), (2, 2), (2, 7))]
    _compare(answer, solution, draw, ALONE, *several, make=_alike)


def _batches(answer, solution, draw, sizes):
    several = [_inputs(draw, *batch) for batch in ((3,), (2, 3), (1,))]
    # Batch sizes that equal the number of heads or of groups.
    several += [_inputs(draw, batch, n_q=batch, n_k=batch) for batch in (2, 4)]
    _compare(answer, solution, draw, sizes, *several, make=_alike)


@pytest.mark.points(1, checks=["any leading batch dimensions, or none"])
def test_batches(answer, solution, draw):
    _batches(answer, solution, draw, ALONE)


@pytest.mark.points(1, checks=["any leading batch dimensions, or none"])
def test_groups_in_batches(answer, solution, draw):
    _batches(answer, solution, draw, SIZES)


@pytest.mark.points(1, checks=["masks that broadcast to the weights `(..., num_heads, n_q, n_k)`"])
def test_masks_of_every_shape(answer, solution, draw):
    several = [[*_inputs(draw, 3), MASK], [*_inputs(draw, n_k=1), MASK[:, :1] | True]]
    # Masks for all, for each sentence, for each head, and for each head of each sentence.
    shapes = [((), (5,)), ((2,), (2, 1, 1, 5)), ((), (4, 1, 5)), ((3,), (3, 4, 3, 5))]
    # Masks with an axis of size 1 for all heads, or for all sentences and all heads.
    shapes += [((2,), (1, 3, 5)), ((2,), (1, 1, 3, 5))]
    for batch, shape in shapes:
        mask = draw(*shape) > 0
        mask[..., 1], mask[..., 3] = True, False
        several.append([*_inputs(draw, *batch), mask])
    _compare(answer, solution, draw, ALONE, *several, _inputs(draw, 2))  # without the masks again


@pytest.mark.points(1, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    # Scores in the thousands, close and far apart. In double precision, it does not matter when they are scaled.
    queries, keys, values = _inputs(draw, exact=False)
    large = 50 * queries, 50 * keys + keys.round(), values
    _compare(answer, solution, draw, ALONE, large, dtype="float64")
    # Scores of every head are near -3000, so a fill of -100 would be the largest. Then hidden ones are near 3000.
    weights = {name: 0 * weight for name, weight in _weights(draw, (4, 2, 2)).items()}
    weights["Wv.weight"] = draw(4, 4)
    weights["Wq.weight"], weights["Wk.weight"], weights["Wo.weight"] = np.eye(4), np.eye(4), np.eye(4)
    keys = np.full((5, 4), -43.0) + np.array([0, 1, -1, 2, 0.5])[:, None] / 64
    queries, values = np.full((3, 4), 50.0), draw(5, 4)
    model = build(answer, (4, 2, 2), weights, "float64", by_name=False)
    for inputs in ((queries, keys, values, MASK), (queries, np.where(MASK[0, :, None], keys, -keys), values, MASK[0])):
        reply = model(*(tensor(numbers, "float64") for numbers in inputs))
        reply.equals(expected_of(solution, (4, 2, 2), weights, *inputs))


@pytest.mark.points(1, checks=["gradients for all of them"])
def test_gradients(answer, solution, draw):
    weights, inputs = _weights(draw, SIZES), [tensor(numbers, "float64") for numbers in (*_inputs(draw, 2), MASK)]
    model, same = (build(thing, SIZES, weights, "float64") for thing in (answer, solution))
    model.gradients(*inputs).flows_like(same.gradients(*inputs))


@pytest.mark.points(1, checks=[STATE, TENSORS_STAY])
def test_calls_and_instances_do_not_depend_on_each_other(answer, solution, draw):
    weights, inputs, others = _alike(draw, ALONE), [*_inputs(draw, 2), MASK], _inputs(draw, 2)
    state = build(answer, ALONE, weights, by_name=False).method("state_dict").value
    model, expected = answer.build(*ALONE), expected_of(solution, ALONE, weights, *inputs)
    model.method("load_state_dict", state).leaves_arguments_alone()
    answer(8, 2, 1)
    first = model(*map(tensor, inputs)).leaves_arguments_alone()
    first.equals(expected)
    model(*map(tensor, others)).equals(expected_of(solution, ALONE, weights, *others))  # without the mask again
    first.still_equals(expected)


def _shares(answer, draw, *mask):
    for batch in ((), (2,)):
        model = build_by_shape(answer, SIZES, _weights(draw, SIZES))  # layers of other widths keep initial weights
        require_shares(model(*map(tensor, [*_inputs(draw, *batch), *mask])), *mask)


@pytest.mark.points(1, checks=["Each row sums to 1."])
def test_weights_are_shares(answer, draw):
    _shares(answer, draw)


@pytest.mark.points(1, checks=["Each row sums to 1."])
def test_weights_are_shares_under_a_mask(answer, draw):
    _shares(answer, draw, MASK)


@pytest.mark.points(1, checks=["Let every query head attend to the keys of its group."])
def test_output_is_a_mixture(answer, draw):
    for batch in ((), (2,)):
        weights, inputs = _alike(draw, ALONE) | {"Wo.weight": np.eye(8), "Wo.bias": np.zeros(8)}, _inputs(draw, *batch)
        values = inputs[2] @ weights["Wv.weight"].T
        heads = values.reshape(*values.shape[:-1], 4, 2).swapaxes(-3, -2)
        require_weighted_sum(build_by_shape(answer, ALONE, weights)(*map(tensor, inputs)), heads)
