"""Hidden suite of SelfAttention: parameters and their current values, large scores, gradients, saved states."""

import numpy as np
import pytest

from autograder.suite import APART, EXAMPLES, FLOAT64_SCALED, SIZES, STATE, named
from autograder.suite.modules import require_learnable, tensor

INP = [[0, 1], [1, 0], [0, 1]]
WEIGHTS = {"wq": [[1, 0], [0, 1]], "wk": [[0, 2], [1, 0]], "wv": [[1, 0], [1, 1]]}


def _inp(draw, *batch, n=3, d_in=5, dtype="float32"):
    """Return tokens of small numbers, because large scores saturate softmax and hide a wrong scale."""
    return tensor(draw(*batch, n, d_in, low=-1.5, high=1.5), dtype)


def _weights(draw, d_in=5, d_k=4, dtype="float32"):
    return {name: tensor(draw(d_in, d_k, low=-1, high=1), dtype) for name in ("wq", "wk", "wv")}


def _alike(draw, d_in=5, d_k=4):
    """Return name -> weights, one matrix for all three, so that sharing parameters has no effect."""
    return dict.fromkeys(("wq", "wk", "wv"), tensor(draw(d_in, d_k, low=-1, high=1)))


def _check(answer, solution, weights, inp, by_name=False, **how):
    """Check a module, whatever the names of its parameters, which two other tests check."""
    sizes = weights["wq"].array.shape
    expected = solution.build(*sizes, weights=weights)(inp)
    answer.build(*sizes, weights=weights, by_name=by_name)(inp).equals(named("output weights", expected), **how)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    _check(answer, solution, {name: tensor(numbers) for name, numbers in WEIGHTS.items()}, tensor(INP), by_name=True)


@pytest.mark.points(
    2, checks=["three registered parameters under the names `wq`, `wk` and `wv`, of shape `(d_in, d_k)`, and no others"]
)
def test_three_registered_parameters(answer, solution):
    for d_in, d_k in ((5, 4), (2, 3), (1, 1)):
        zeros = tensor(np.zeros((1, d_in)))  # for any weights, the output is 0 and the only weight is 1
        used = answer.build(d_in, d_k)
        used(zeros).equals(named("output weights", solution.build(d_in, d_k)(zeros)))
        used.method("eval")  # returns the module, so that the diagnosis sees what `forward` changed
        for model in (answer.build(d_in, d_k), used):
            model.has_parameters(dict.fromkeys(("wq", "wk", "wv"), (d_in, d_k)))


@pytest.mark.points(1, checks=[SIZES])
def test_other_sizes(answer, solution, draw):
    for n, d_in, d_k in ((7, 6, 3), (3, 5, 4), (4, 2, 9), (1, 6, 3), (5, 1, 2), (2, 3, 1), (4, 4, 4)):
        _check(answer, solution, _alike(draw, d_in, d_k), _inp(draw, n=n, d_in=d_in))


@pytest.mark.points(1, checks=["for any number of leading batch dimensions", "float32 and float64", APART])
def test_batches_and_number_types(answer, solution, draw):
    for batch, dtype in (((2,), "float32"), ((2, 3), "float64"), ((1,), "float64"), ((3, 1, 2), "float32")):
        _check(answer, solution, _weights(draw, dtype=dtype), _inp(draw, *batch, dtype=dtype))
    _check(answer, solution, _weights(draw), tensor(_inp(draw, 2, 3).array, apart=True))
    for n in (3, 4):  # all sizes are equal, so that a wrong transpose raises no error about shapes
        _check(answer, solution, _weights(draw, n, n), _inp(draw, n, n=n, d_in=n))
    inp = tensor(draw(9, 5, low=-1, high=1, exact=False), "float64")
    _check(answer, solution, _weights(draw, dtype="float64"), inp, rtol=FLOAT64_SCALED)


@pytest.mark.points(1, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    # In double precision, `exp(x - logsumexp(x))` keeps its digits, too. Scores are integers, divided by sqrt(16) = 4.
    wq, wk = np.zeros((5, 16)), np.zeros((5, 16))
    wq[:4, 0], wk[:4, 0] = (400, -400, 4, 40), (400, 396, -400, 8)
    wv = draw(5, 16)
    for scale in (1, 24):  # scores up to nearly a million
        weights = {"wq": scale * wq, "wk": wk, "wv": wv}
        weights = {name: tensor(weight, "float64") for name, weight in weights.items()}
        _check(answer, solution, weights, tensor(np.eye(4, 5), "float64"))


@pytest.mark.points(1, checks=["gradients that reach all three and the input"])
def test_gradients_reach_the_weights_and_the_input(answer, solution, draw):
    for batch in ((), (2,)):
        weights, inp = _weights(draw), _inp(draw, *batch)
        expected = solution.build(5, 4, weights=weights).gradients(inp)
        answer.build(5, 4, weights=weights).gradients(inp).flows_like(expected)


@pytest.mark.points(1, checks=["as long as each of the three gets a gradient"])
def test_it_can_learn(answer, draw):
    """Check that a gradient reaches all initial parameters, under any name."""
    model = answer.build(5, 4)
    reply = model.gradients(_inp(draw, 2))
    if not reply.value["parameters"]:
        reply.fails("has no parameter that training could change")
    for name, gradient in reply.value["parameters"].items():
        if gradient is None:
            reply.fails(f"passes no gradient to {name}")
    require_learnable(model, {("wq",): "wk", ("wk",): "wq", ("wv",): "wq and wk"})


@pytest.mark.points(1, checks=[STATE])
def test_saved_and_loaded(answer, solution, draw):
    weights, inp = _alike(draw), _inp(draw, 2)
    state = answer.build(5, 4, weights=weights, by_name=False).method("state_dict").value
    loaded = answer.build(5, 4)
    loaded.method("load_state_dict", state)
    loaded(inp).equals(named("output weights", solution.build(5, 4, weights=weights)(inp)))


@pytest.mark.points(1, checks=["computed from the *current* values of the parameters"])
def test_what_the_weights_hold_now(answer, solution, draw):
    old, new, inp = _alike(draw), _alike(draw), _inp(draw, 2)
    model, other = (answer.build(5, 4, weights=old, by_name=False) for _ in range(2))
    before, after = (named("output weights", solution.build(5, 4, weights=each)(inp)) for each in (old, new))
    first = model(inp).leaves_arguments_alone().equals(before)
    model.set(new, by_name=False)
    model(inp).equals(after)
    other(inp).equals(before)  # each instance has its own weights
    first.still_equals(before)
