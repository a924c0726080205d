"""Hidden suite of TrainableAttention: registered layers, batches, dtypes, large scores, gradients and saved states."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, FLOAT64_SCALED, STATE, named
from autograder.suite.modules import build_both, require_learnable, require_weighted_sum, tensor

KEYS = np.array([[1, 0], [0, 1], [1, 1]])
LAYERS = ("Wq", "Wk", "Wv")


def _shapes(num_in, num_out):
    shapes = {"weight": (num_out, num_in), "bias": (num_out,)}
    return {f"{layer}.{part}": shape for layer in LAYERS for part, shape in shapes.items()}


def _weights(draw, num_in=5, num_out=4, dtype="float32"):
    return {name: tensor(draw(*shape, low=-1, high=1), dtype) for name, shape in _shapes(num_in, num_out).items()}


def _inputs(draw, *batch, n_q=3, n_k=6, num_in=5, dtype="float32"):
    """Return queries, keys and values, small because large scores saturate softmax and hide a wrong scale."""
    return [tensor(draw(*batch, n, num_in, low=-1.5, high=1.5), dtype) for n in (n_q, n_k, n_k)]


def _check(answer, solution, weights, inputs, by_name=False, **how):
    sizes, arrays = weights["Wq.weight"].array.shape[::-1], {name: each.array for name, each in weights.items()}
    model, same = build_both(answer, solution, sizes, arrays, inputs[0].array.dtype, by_name=by_name)
    expected = same(*(tensor(each.array, "float64") for each in inputs))
    return model(*inputs).leaves_arguments_alone().equals(named("attn_output attn_matrix", expected), **how)


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer, solution):
    biases = {"Wq.bias": tensor([1, 1]), "Wk.bias": tensor([0, 0]), "Wv.bias": tensor([10, 10])}
    weights = {f"{layer}.weight": tensor(np.eye(2)) for layer in LAYERS} | biases
    _check(answer, solution, weights, [tensor([[2, 0]]), tensor(KEYS), tensor(2 * KEYS)], by_name=True)


@pytest.mark.points(
    1,
    checks=[
        "exactly three `nn.Linear` with bias, under the names `Wq`, `Wk` and `Wv`, and no other parameters",
        "the default widths",
    ],
)
def test_three_registered_layers(answer, draw):
    weights, inputs = _weights(draw, 5, 1), _inputs(draw, 2)
    # Call with initial weights, so that the diagnosis can tell layers created in `forward` from unregistered ones.
    answer.build(5, 4)(*inputs).leaves_arguments_alone()
    used = answer.build(5, 1, weights=weights)
    used(*inputs).leaves_arguments_alone()
    used.has_parameters(_shapes(5, 1))
    answer.build(1, 3).has_parameters(_shapes(1, 3))
    answer.build().has_parameters(_shapes(300, 256))


@pytest.mark.points(0.75, checks=["different numbers of queries and keys"])
def test_other_sizes(answer, solution, draw):
    for n_q, n_k, num_in, num_out in (
        (3, 6, 5, 4),
        (4, 2, 3, 9),
        (1, 5, 6, 3),
        (5, 1, 2, 3),
        (2, 3, 1, 1),
        (4, 4, 4, 4),
    ):
        inputs = _inputs(draw, n_q=n_q, n_k=n_k, num_in=num_in)
        _check(answer, solution, _weights(draw, num_in, num_out), inputs)


@pytest.mark.points(1, checks=["any number of leading batch dimensions, the same for queries, keys and values"])
def test_one_batch_axis(answer, solution, draw):
    for batch, dtype in ((2, "float32"), (1, "float64")):
        _check(answer, solution, _weights(draw, dtype=dtype), _inputs(draw, batch, dtype=dtype))
    for n in (3, 4):  # all sizes are equal, so that a wrong transpose raises no error about shapes
        _check(answer, solution, _weights(draw, n, n), _inputs(draw, n, n_q=n, n_k=n, num_in=n))


@pytest.mark.points(
    0.75,
    checks=["any number of leading batch dimensions, the same for queries, keys and values", "float32 and float64"],
)
def test_more_batch_axes_and_number_types(answer, solution, draw):
    for batch, dtype in (((2, 3), "float64"), ((3, 1, 2), "float32")):
        _check(answer, solution, _weights(draw, dtype=dtype), _inputs(draw, *batch, dtype=dtype))
    weights = {name: tensor(each.array / 3, "float64") for name, each in _weights(draw).items()}
    _check(answer, solution, weights, _inputs(draw, n_q=8, n_k=9, dtype="float64"), rtol=FLOAT64_SCALED)


@pytest.mark.points(1, checks=["often the same tensor twice"])
def test_one_tensor_for_keys_and_values(answer, solution, draw):
    for n_q, n_k, num_in, num_out in ((3, 6, 5, 4), (1, 2, 3, 9)):
        queries, keys, _ = _inputs(draw, 2, n_q=n_q, n_k=n_k, num_in=num_in)
        _check(answer, solution, _weights(draw, num_in, num_out), [queries, keys, keys])


@pytest.mark.points(0.5, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    # In double precision, `exp(x - logsumexp(x))` keeps its digits, too. Scores are integers, divided by sqrt(16) = 4.
    weights = {name: tensor(np.zeros(shape), "float64") for name, shape in _shapes(5, 16).items()}
    weights["Wv.weight"] = tensor(draw(16, 5), "float64")
    weights["Wq.weight"].array[0, :4], weights["Wk.weight"].array[0, :4] = (400, -400, 4, 40), (400, 396, -400, 8)
    inputs = [tensor(each, "float64") for each in (np.eye(4, 5), np.eye(4, 5), draw(4, 5))]
    _check(answer, solution, weights, inputs)
    _check(answer, solution, weights, [tensor(24 * inputs[0].array, "float64"), *inputs[1:]])  # nearly a million


@pytest.mark.points(
    0.75,
    checks=["gradients that reach the weights and the inputs", "as long as each of the three layers gets a gradient"],
)
def test_gradients_reach_the_weights_and_the_inputs(answer, solution, draw):
    for batch in ((), (2,)):
        weights, inputs = _weights(draw, 5, 1), _inputs(draw, *batch)
        expected = solution.build(5, 1, weights=weights).gradients(*inputs)
        answer.build(5, 1, weights=weights).gradients(*inputs).flows_like(expected)
    # Initial weights of 0 would block the gradients of other weights.
    zeros = {("Wq.weight", "Wq.bias"): "Wk", ("Wk.weight", "Wk.bias"): "Wq", ("Wv.weight",): "Wq and Wk"}
    require_learnable(answer.build(5, 4), zeros)


@pytest.mark.points(1, checks=[STATE])
def test_saved_and_loaded(answer, solution, draw):
    old, new, inputs = _weights(draw, 5, 1), _weights(draw, 5, 1), _inputs(draw, 2)
    before, after = (
        named("attn_output attn_matrix", solution.build(5, 1, weights=each)(*inputs)) for each in (old, new)
    )
    model, other = (answer.build(5, 1, weights=each, by_name=False) for each in (old, new))
    first = model(*inputs)
    model.method("load_state_dict", other.method("state_dict").value)
    model(*inputs).equals(after)
    first.still_equals(before)


@pytest.mark.points(0.75, checks=["The weighted sum of the projected values for each query."])
def test_output_is_a_mixture(answer, solution, draw):
    """Check that the output is a weighted average of the projected values, however scores are computed."""
    weights = {name: each.array * ("bias" not in name) for name, each in _weights(draw).items()}
    for batch in ((), (2,)):
        inputs = _inputs(draw, *batch)
        model, _ = build_both(answer, solution, (5, 4), weights)
        require_weighted_sum(model(*inputs), inputs[2].array @ weights["Wv.weight"].T)
