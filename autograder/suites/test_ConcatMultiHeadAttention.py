"""Hidden suite of ConcatMultiHeadAttention: parameters, heads that can learn, large scores and saved states."""

import numpy as np
import pytest

from autograder.suite import APART, EXAMPLES, FLOAT64_SCALED, SIZES, STATE, TENSORS_STAY, as_array
from autograder.suite.modules import (
    SMALL,
    build,
    build_by_shape,
    compare_modules,
    expected_of,
    first_numbers,
    require_learnable,
    require_shares,
    require_weighted_sum,
    tensor,
)


def _shapes(d_in, d_k, num_heads):
    shapes = {f"heads.{head}.{name}": (d_in, d_k) for head in range(num_heads) for name in ("wq", "wk", "wv")}
    return {**shapes, "out": (num_heads * d_k, d_k)}


def _weights(draw, *sizes, **bounds):
    return {name: draw(*shape, **(bounds or SMALL)) for name, shape in _shapes(*sizes).items()}


def _alike(draw, *sizes):
    """Return name -> weights with one matrix in all heads, so that sharing parameters or heads has no effect."""
    weights = _weights(draw, *sizes)
    return {name: weights["out" if name == "out" else "heads.0.wq"] for name in weights}


def _heads_alike(draw, *sizes):
    weights = _weights(draw, *sizes)
    return {name: weights["out" if name == "out" else f"heads.0.{name[-2:]}"] for name in weights}


def _compare(answer, solution, draw, sizes, *shapes):
    """Compare the answer's module with the solution's on tokens of several shapes."""
    weights = _alike(draw, *sizes)
    compare_modules(answer, solution, sizes, weights, *([draw(*shape, **SMALL)] for shape in shapes))


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    sizes, one, is_ = (3, 4, 2), [0, 1, 0], [1, 0, 0]
    weights = {
        name: (np.arange(np.prod(shape)) + shift).reshape(shape) % 5 / 2 - 1
        for shift, (name, shape) in enumerate(sorted(_shapes(*sizes).items()))
    }
    inp = [one, is_, one]
    model = build(answer, sizes, weights, "float64")
    model(tensor(inp, "float64")).equals(expected_of(solution, sizes, weights, inp), rtol=FLOAT64_SCALED)


@pytest.mark.points(1, checks=["the names and shapes of the parameters, all registered"])
def test_parameters(answer, draw):
    # Call with initial weights, so that the diagnosis can tell heads created in `forward` from unregistered ones.
    answer.build(6, 4, 3)(tensor(draw(2, 7, 6))).leaves_arguments_alone()
    for sizes in ((6, 4, 3), (4, 4, 2), (3, 5, 1)):
        model = build(answer, sizes, _weights(draw, *sizes)).has_parameters(_shapes(*sizes))
        model(tensor(draw(2, 7, sizes[0]))).leaves_arguments_alone()
        model.has_parameters(_shapes(*sizes))


@pytest.mark.points(1, checks=[SIZES])
def test_other_sizes(answer, solution, draw):
    # (n, d_in, d_k, num_heads): heads wider or narrower than the tokens, one head, heads of width 1, one token.
    for n, *sizes in ((5, 6, 4, 3), (2, 3, 5, 2), (4, 4, 4, 1), (3, 2, 1, 4), (1, 5, 3, 2), (3, 3, 3, 3), (2, 3, 1, 1)):
        compare_modules(answer, solution, sizes, _weights(draw, *sizes), [draw(n, sizes[0], **SMALL)])


@pytest.mark.points(1, checks=["any number of leading batch dimensions, or none"])
def test_batches(answer, solution, draw):
    _compare(answer, solution, draw, (6, 4, 3), (2, 5, 6), (2, 3, 5, 6), (1, 5, 6), (4, 5, 6))
    _compare(answer, solution, draw, (2, 2, 2), (2, 2, 2))


@pytest.mark.points(1, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    # Scores in the thousands, close and far apart. In double precision, it does not matter when they are scaled.
    sizes, inp = (3, 4, 2), np.array([[[40, 0, 0], [40, 0, 1], [-40, 2, 0], [0, -30, 30]]])
    weights = _weights(draw, *sizes, low=-3, high=3)
    compare_modules(answer, solution, sizes, weights, [inp], [3 * inp], dtype="float64")


@pytest.mark.points(1, checks=["all registered and reached by gradients"])
def test_gradients(answer, solution, draw):
    sizes = (5, 4, 3)
    for batch in ((2,), (4,)):
        weights, inp = _weights(draw, *sizes), tensor(draw(*batch, 6, 5, **SMALL), "float64")
        model, same = (build(thing, sizes, weights, "float64") for thing in (answer, solution))
        model.gradients(inp).flows_like(same.gradients(inp))


@pytest.mark.points(1, checks=["as long as each gets a gradient from the start"])
def test_every_head_can_learn(answer):
    model = answer.build(5, 4, 2)
    reply, held = first_numbers(model, _shapes(5, 4, 2))
    if not set(held) - {"out"}:
        reply.fails("has no parameters for its heads, so nothing would be trained")
    for head in ("heads.0", "heads.1"):
        others = {"wq": f"{head}.wk", "wk": f"{head}.wq", "wv": f"{head}.wq and {head}.wk"}
        require_learnable(model, {(f"{head}.{name}",): kept for name, kept in others.items()})
    require_learnable(model, {("out",): "any head"})


@pytest.mark.points(1, checks=["The weights of each head, in the order of `heads`."])
def test_weights_are_shares(answer, draw):
    reply = build_by_shape(answer, (5, 4, 2), _weights(draw, 5, 4, 2))(tensor(draw(6, 5, **SMALL)))
    require_shares(reply)
    if [as_array(part).shape for part in reply.value] != [(6, 4), (2, 6, 6)]:
        reply.fails("should return an output as wide as one head, and weights for every head and every pair of tokens")


@pytest.mark.points(2, checks=["The mixed outputs of the heads."])
def test_output_is_a_mixture(answer, draw):
    for batch, sizes in (((4,), (5, 4, 2)), ((2,), (3, 4, 3))):
        weights, inp = _alike(draw, *sizes), draw(*batch, 6, sizes[0], **SMALL)
        values = (inp @ weights["heads.0.wv"])[..., None, :, :]  # the same in every head
        require_weighted_sum(build_by_shape(answer, sizes, weights)(tensor(inp)), values, weights["out"])


@pytest.mark.points(1, checks=[STATE, APART])
def test_state_moves_to_another_instance(answer, solution, draw):
    # One token attends only to itself, so queries and keys have no effect: other tests check them.
    sizes, inp = (5, 3, 2), draw(2, 3, 1, 5, **SMALL)
    weights = _heads_alike(draw, *sizes)
    state = build_by_shape(answer, sizes, weights).method("state_dict").value
    other = answer.build(*sizes)
    other.method("load_state_dict", state).leaves_arguments_alone()
    other(tensor(inp, apart=True)).equals(expected_of(solution, sizes, weights, inp))


@pytest.mark.points(1, checks=[TENSORS_STAY])
def test_calls_do_not_depend_on_each_other(answer, solution, draw):
    sizes, inp = (5, 4, 2), draw(2, 1, 5, **SMALL)  # one token again
    weights = _alike(draw, *sizes)
    model, expected = build_by_shape(answer, sizes, weights), expected_of(solution, sizes, weights, inp)
    answer(5, 3, 4)
    first = model(tensor(inp)).leaves_arguments_alone()
    model(tensor(draw(2, 1, 5)))
    first.still_equals(expected)
    model(tensor(inp)).equals(expected)
