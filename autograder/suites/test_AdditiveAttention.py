"""Hidden suite of AdditiveAttention: parameters, batches, dtypes, large scores, gradients and saved states."""

import numpy as np
import pytest

from autograder.suite import APART, EXAMPLES, FLOAT64, STATE, TENSORS_STAY, as_array, named
from autograder.suite.modules import build_both, require_learnable, require_shares, require_weighted_sum, tensor

SMALL = {"low": -1, "high": 1}  # bounds of inputs: where tanh is flat, other nonlinearities look the same
EXAMPLE = {
    **{"Wq.weight": np.eye(2), "Wq.bias": np.zeros(2), "Wk.weight": np.eye(2), "Wk.bias": np.ones(2)},
    **{"Ws.weight": np.ones((1, 2)), "Ws.bias": np.array([5.0])},
}


def _shapes(width, hidden):
    shapes = {f"{name}.weight": (hidden, width) for name in ("Wq", "Wk")}
    return {**shapes, "Wq.bias": (hidden,), "Wk.bias": (hidden,), "Ws.weight": (1, hidden), "Ws.bias": (1,)}


def _weights(draw, *sizes):
    """Return name -> weights of moderate size, in `Ws` large enough to show which keys are attended to."""
    weights = {name: draw(*shape, **SMALL) for name, shape in _shapes(*sizes).items()}
    return {**weights, "Ws.weight": draw(1, sizes[1])}


def _weight_shapes(width, hidden):
    return {name: shape for name, shape in _shapes(width, hidden).items() if "bias" not in name}


def _inputs(draw, *batch, n_q=3, n_k=5, width=6, d_v=7):
    return draw(*batch, n_q, width, **SMALL), draw(*batch, n_k, width, **SMALL), draw(*batch, n_k, d_v)


def _tensors(inputs, dtype="float32"):
    return [tensor(numbers, dtype) for numbers in inputs]


def _expected(same, inputs):
    return named("attn_output attn_matrix", same(*_tensors(inputs, "float64")))


def _compare(answer, solution, sizes, weights, *several, dtype="float32", rtol=1e-5, **how):
    """Compare one module on several inputs with the reference in double precision."""
    model, same = build_both(answer, solution, sizes, weights, dtype, **how)
    for inputs in several:
        model(*_tensors(inputs, dtype)).equals(_expected(same, inputs), rtol=rtol)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    three_keys = [[0, 0], [1, -1]], [[1, 0], [0, 2], [-1, -1]], [[10], [20], [30]]
    one_query = np.ones((1, 1, 2)), np.ones((1, 5, 2)), np.ones((1, 5, 3))
    _compare(answer, solution, (2, 2), EXAMPLE, three_keys, one_query, by_name=True)


@pytest.mark.points(
    1,
    checks=[
        "under the names `Wq`, `Wk` and `Ws`, and no other parameters",
        STATE,
    ],
)
def test_parameters(answer, solution, draw):
    # Call with initial weights, so that the diagnosis can tell layers created in `forward` from unregistered ones.
    answer.build(6, 4)(*_tensors(_inputs(draw, 2, width=6))).leaves_arguments_alone()
    for sizes in ((6, 4), (4, 4), (3, 5)):
        # Set the weights, because the diagnosis cannot compare two modules with different initial weights.
        weights = _weights(draw, *sizes)
        model, _ = build_both(answer, solution, sizes, weights, by_name=True)
        model.has_parameters(_weight_shapes(*sizes), optional=_shapes(*sizes))
        called = model(*_tensors(_inputs(draw, 2, width=sizes[0]))).leaves_arguments_alone()
        model.has_parameters(_weight_shapes(*sizes), optional=_shapes(*sizes))
        state = model.method("state_dict").value
        for name in _weight_shapes(*sizes):
            if not np.array_equal(as_array(state.get(name, weights[name])), weights[name]):
                advice = "Only an optimizer should do that: create layers in `__init__`, not in `forward`"
                called.fails(f"changed {name}. {advice}", "attribute")
    answer.build().has_parameters(_weight_shapes(300, 256), optional=_shapes(300, 256))
    answer.build(10).has_parameters(_weight_shapes(10, 256), optional=_shapes(10, 256))


@pytest.mark.points(1, checks=["different or equal numbers of queries and keys, 1 included"])
def test_other_sizes(answer, solution, draw):
    # Sizes (n_q, n_k, d_v, width, hidden). Each of them is 1 in at least one case.
    for n_q, n_k, d_v, *sizes in (
        (1, 6, 2, 5, 5),
        (3, 5, 7, 6, 4),
        (5, 2, 1, 3, 8),
        (4, 1, 3, 2, 3),
        (2, 3, 4, 1, 5),
        (2, 4, 3, 4, 1),
        (1, 1, 1, 2, 2),
    ):
        inputs = _inputs(draw, n_q=n_q, n_k=n_k, width=sizes[0], d_v=d_v)
        _compare(answer, solution, sizes, _weights(draw, *sizes), inputs)


@pytest.mark.points(1, checks=["different or equal numbers of queries and keys, 1 included"])
def test_as_many_queries_as_keys(answer, solution, draw):
    tokens = draw(5, 6, **SMALL)
    same_number = [_inputs(draw, n_q=n, n_k=n, d_v=n) for n in (4, 6)]
    _compare(answer, solution, (6, 1), _weights(draw, 6, 1), *same_number, (tokens, tokens, tokens))
    _compare(answer, solution, (3, 1), _weights(draw, 3, 1), _inputs(draw, n_q=3, n_k=3, width=3, d_v=3))


@pytest.mark.points(
    2, checks=["any number of leading batch dimensions, the same for queries, keys and values", "float32 and float64"]
)
def test_batches_and_number_types(answer, solution, draw):
    # With one hidden unit, scaling has no effect: other tests check it. Some batches have size 1 or the length of
    # another axis, so that a wrong axis raises no error about shapes.
    for dtype, batches in (("float32", ((2,), (1,), (2, 3))), ("float64", ((3,), (5,), (3, 1, 2)))):
        several = [_inputs(draw, *batch) for batch in batches]
        _compare(answer, solution, (6, 1), _weights(draw, 6, 1), *several, dtype=dtype)
    alike = _inputs(draw, 3, n_q=3, n_k=3, width=3, d_v=3)
    ones = _inputs(draw, 1, 2, n_q=1, n_k=3, width=3, d_v=1)
    _compare(answer, solution, (3, 1), _weights(draw, 3, 1), alike, ones)


@pytest.mark.points(1, checks=["scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    # Sums are 0 or at least 30 in size, so tanh is 0, 1 or -1. The scores are integers in the thousands: rows are far
    # apart, and the best keys win by little. In double precision, `exp(x - logsumexp(x))` keeps its digits, too.
    weights = {name: np.zeros(shape) for name, shape in _shapes(4, 4).items()}
    weights |= {"Wq.weight": np.eye(4), "Wk.weight": np.eye(4), "Ws.weight": np.array([[3000, 1500, 1, 2]])}
    queries = 30 * np.array([[1, 1, 0, 0], [-1, -1, 0, 0], [1, -1, 0, 0], [0, 0, 0, 0]])
    keys = 30 * np.array([[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, -1, 1], [1, 1, 0, 0], [-1, -1, 0, 0]])
    fewer = queries[:2], keys[:3], draw(3, 3)
    _compare(answer, solution, (4, 4), weights, (queries, keys, draw(5, 3)), fewer, dtype="float64")
    # Scores in the thousands again, but close together and not exact in float32.
    weights = {name: np.zeros(shape) for name, shape in _shapes(2, 2).items()}
    weights |= {"Wq.weight": np.eye(2), "Wk.weight": np.eye(2), "Ws.weight": np.array([[3000.3, 1500.7]])}
    queries, keys = draw(3, 2, exact=False, **SMALL) / 4, 0.3 + draw(5, 2, exact=False, **SMALL) / 2048
    _compare(answer, solution, (2, 2), weights, (queries, keys, draw(5, 3)), dtype="float64", rtol=FLOAT64)


@pytest.mark.points(
    1, checks=["gradients that reach the weights and the inputs", "as long as each of the three gets a gradient"]
)
def test_gradients(answer, solution, draw):
    for batch in ((), (2,)):
        weights, inputs = _weights(draw, 5, 4), _tensors(_inputs(draw, *batch, width=5), "float64")
        model, same = build_both(answer, solution, (5, 4), weights, "float64", by_name=True)
        expected = same.gradients(*inputs)
        # Softmax does not depend on the bias of the score, so its gradient may be 0 or missing.
        seen = {name for name in model.parameters if name != "Ws.bias"}
        parameters = {name: wanted for name, wanted in expected["parameters"].items() if name in seen}
        model.gradients(*inputs).flows_like(expected | {"parameters": parameters})
    # Initial weights of 0 would block the gradients of other weights.
    blocked = {("Ws.weight",): "Wq and Wk", ("Wq.weight", "Wk.weight"): "Ws"}
    require_learnable(answer.build(5, 4), blocked)


@pytest.mark.points(1, checks=[STATE])
def test_state_moves_to_another_instance(answer, solution, draw):
    weights, inputs = _weights(draw, 5, 1), _inputs(draw, 2, width=5)
    model, same = build_both(answer, solution, (5, 1), weights)
    other = answer.build(5, 1)
    other.method("load_state_dict", model.method("state_dict").value).leaves_arguments_alone()
    other(*_tensors(inputs)).equals(_expected(same, inputs))


@pytest.mark.points(1, checks=[TENSORS_STAY, APART])
def test_calls_do_not_depend_on_each_other(answer, solution, draw):
    weights, inputs = _weights(draw, 6, 1), _inputs(draw, 2, 3)
    model, same = build_both(answer, solution, (6, 1), weights)
    expected = _expected(same, inputs)
    first = model(*_tensors(inputs)).leaves_arguments_alone()
    others = _inputs(draw, 2, 3)
    model(*(tensor(each, apart=True) for each in others)).equals(_expected(same, others))
    first.still_equals(expected)
    model(*_tensors(inputs)).equals(expected)


@pytest.mark.points(1, checks=["Row i says how much each value contributed to output i, and sums to 1."])
def test_weights_are_shares(answer, solution, draw):
    for batch in ((), (2,)):
        require_shares(build_both(answer, solution, (6, 4), _weights(draw, 6, 4))[0](*_tensors(_inputs(draw, *batch))))


@pytest.mark.points(1, checks=["The weighted sum of the values for each query."])
def test_output_is_a_mixture(answer, solution, draw):
    for batch in ((), (2,)):
        inputs = _inputs(draw, *batch)
        require_weighted_sum(
            build_both(answer, solution, (6, 4), _weights(draw, 6, 4))[0](*_tensors(inputs)), inputs[2]
        )
