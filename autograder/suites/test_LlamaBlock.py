"""Hidden suite of LlamaBlock: both parts alone and together, groups of heads, masks, positions, the cache."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, named
from autograder.suite.modules import (
    SMALL,
    build,
    causal,
    compare_modules,
    expected_of,
    pieces_to_read,
    require_shares,
    tensor,
    tokens_to_norm,
)

SIZES = (12, 6, 3, 10)
ALONE = (12, 3, 3, 10)  # every head is its own group, for tests that do not check groups
# Every token may attend to something, and no two rows or columns are equal.
MASK = np.array(
    [
        [True, False, True, True, False],
        [False, True, False, False, False],
        [True, True, False, True, True],
        [False, False, True, False, True],
        [True, True, True, False, False],
    ]
)


def _shapes(d_model, num_heads, num_kv_heads, d_hidden):
    d_kv = d_model // num_heads * num_kv_heads
    shapes = {"Wq": (d_model, d_model), "Wk": (d_kv, d_model), "Wv": (d_kv, d_model), "Wo": (d_model, d_model)}
    shapes |= {"gate": (d_hidden, d_model), "up": (d_hidden, d_model), "down": (d_model, d_hidden)}
    shapes |= {"norm1": (d_model,), "norm2": (d_model,)}
    return {f"{name}.weight": shape for name, shape in shapes.items()}


def _weights(draw, sizes):
    return {name: draw(*shape, **SMALL) for name, shape in _shapes(*sizes).items()}


def _centred(draw, *batch, **how):
    """Return tokens of mean 0, which LayerNorm and RMSNorm treat alike, for tests that do not check the norm."""
    x = tokens_to_norm(draw, *batch, **how)
    return x - x.mean(axis=-1, keepdims=True)


def _compare(answer, solution, draw, sizes, *several, dtype="float32"):
    compare_modules(answer, solution, sizes, _weights(draw, sizes), *several, dtype=dtype)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    x = np.array([[2.0, 0.0, 0.0, 1.0], [0.0, 3.0, 1.0, 0.0], [1.0, 1.0, 5.0, 4.0]])
    sizes = (4, 2, 1, 6)
    weights = {name: np.eye(*shape) if len(shape) > 1 else np.ones(shape) for name, shape in _shapes(*sizes).items()}
    reply = build(answer, sizes, weights, "float64", by_name=False)(tensor(x, "float64"), tensor(causal(3)))
    reply.equals(expected_of(solution, sizes, weights, x, causal(3)))


@pytest.mark.points(1.5, checks=["names and shapes of the parameters"])
def test_parameters(answer, draw):
    for sizes in (SIZES, (8, 4, 1, 12), (4, 2, 2, 6)):
        shapes = _shapes(*sizes)
        biases = {name.replace("weight", "bias"): shape[:1] for name, shape in shapes.items()}
        block = build(answer, sizes, _weights(draw, sizes)).has_parameters(shapes, biases)
        block(tensor(tokens_to_norm(draw, 2, d_model=sizes[0]))).leaves_arguments_alone()
        block.has_parameters(shapes, biases)


@pytest.mark.points(1, checks=["**No biases** in any of the seven linear layers", "has no\nbias"])
def test_no_biases(answer, draw):
    build(answer, SIZES, _weights(draw, SIZES)).has_parameters(_shapes(*SIZES))


@pytest.mark.points(1, checks=["the result is added to `x`"])
def test_the_network_alone(answer, solution, draw):
    weights = _weights(draw, SIZES)
    weights["Wo.weight"] = 0 * weights["Wo.weight"]
    block = build(answer, SIZES, weights, "float64", by_name=False)
    for batch in ((), (2,)):
        x = tokens_to_norm(draw, *batch)
        block(tensor(x, "float64")).equals(expected_of(solution, SIZES, weights, x))


@pytest.mark.points(1, checks=["each part reads a normalised copy of `x`"])
def test_attention_alone(answer, solution, draw):
    # Every head is its own group, so groups have no effect. With one token, rotation has none, either.
    for sizes, n in ((ALONE, 1), (ALONE, 4)):
        weights = _weights(draw, sizes)
        weights["down.weight"] = 0 * weights["down.weight"]
        block = build(answer, sizes, weights, "float64", by_name=False)
        x = _centred(draw, 2, n=n)
        block(tensor(x, "float64")).equals(expected_of(solution, sizes, weights, x))


@pytest.mark.points(1, checks=["any number of leading batch dimensions, or none"])
def test_sizes_and_batches(answer, solution, draw):
    for sizes, batch, n in (
        ((4, 2, 1, 6), (), 3),
        ((4, 1, 1, 3), (3,), 4),
        (SIZES, (2, 3), 5),
        ((16, 4, 2, 12), (4,), 1),
        ((12, 3, 1, 7), (2,), 2),
    ):
        _compare(answer, solution, draw, sizes, (tokens_to_norm(draw, *batch, n=n, d_model=sizes[0]),))


@pytest.mark.points(1, checks=["query head $i$ uses key head $\\lfloor i / (h / h_{kv}) \\rfloor$"])
def test_which_key_head_is_used(answer, solution, draw):
    for sizes in (SIZES, (16, 8, 2, 6), (8, 4, 4, 6)):
        _compare(answer, solution, draw, sizes, (_centred(draw, 2, d_model=sizes[0]),), dtype="float64")


@pytest.mark.points(1, checks=["masks that broadcast to `(..., num_heads, n, n_k)`"])
def test_masks(answer, solution, draw):
    several = [
        (_centred(draw, 2), MASK),
        (_centred(draw), causal(5)),
        (_centred(draw, 3, n=4), causal(4)),
    ]
    # Masks for each head, for each text, for each head of each text, and with one row for all tokens.
    for batch, shape in (
        ((), (6, 5, 5)),
        ((2,), (2, 1, 5, 5)),
        ((2,), (2, 6, 5, 5)),
        ((2,), (5,)),
        ((3,), (3, 1, 1, 5)),
    ):
        mask = draw(*shape) > 0
        mask[..., 1], mask[..., 3] = True, False
        several.append((_centred(draw, *batch), mask))
    _compare(answer, solution, draw, SIZES, *several, (_centred(draw, 3),))  # finally without a mask again
    # With two texts, and two key heads or two query heads, a mask that is applied to the wrong axis fits as well.
    for sizes in ((8, 4, 2, 6), (8, 2, 1, 6)):
        mask = draw(2, sizes[1], 5, 5) > 0
        mask[..., 1] = True
        _compare(answer, solution, draw, sizes, (_centred(draw, 2, d_model=8), mask))


@pytest.mark.points(0.5, checks=["any `start`"])
def test_positions(answer, solution, draw):
    # Weights depend only on the distance, so `start` has no effect without a cache. Each head rotates three pairs.
    sizes = (12, 2, 1, 10)
    weights = _weights(draw, sizes)
    block = build(answer, sizes, weights, "float64", by_name=False)
    for n, start in ((5, 0), (5, 7), (3, 1000), (1, 2)):
        x = _centred(draw, 2, n=n)
        reply = block(tensor(x, "float64"), tensor(causal(n)), None, start).leaves_arguments_alone()
        same = build(solution, sizes, weights, "float64")
        reply.equals(named("x weights", same(tensor(x, "float64"), tensor(causal(n)), None, start)))


def _read(answer, solution, draw, tells, names, sizes=SIZES):
    for batch, n, mask, harness in pieces_to_read(tells):
        weights = _weights(draw, sizes)
        block = build(answer, sizes, weights, "float64", by_name=False)
        same = build(solution, sizes, weights, "float64")
        arguments = tensor(_centred(draw, *batch, n=n, d_model=sizes[0]), "float64"), mask, harness
        block(*arguments).leaves_arguments_alone().equals(named(names, same(*arguments)))


@pytest.mark.points(
    1, checks=["what each call appends (the rotated keys and the unrotated values, once, with `num_kv_heads` heads)"]
)
def test_what_is_appended(answer, solution, draw):
    names = "calls_of_append appended_keys appended_values"
    _read(answer, solution, draw, "cache", names)


@pytest.mark.points(1, checks=["with a cache: the output"])
def test_with_a_cache(answer, solution, draw):
    _read(answer, solution, draw, "output", "x weights")


@pytest.mark.points(0.5, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    weights = _weights(draw, SIZES)
    weights["Wq.weight"], weights["Wk.weight"] = 100 * weights["Wq.weight"], 100 * weights["Wk.weight"]
    x = _centred(draw, 2, exact=False)
    reply = build(answer, SIZES, weights, "float64", by_name=False)(tensor(x, "float64"), tensor(MASK))
    reply.equals(expected_of(solution, SIZES, weights, x, MASK))


@pytest.mark.points(0.5, checks=["Over the d_model numbers of a token, with eps=1e-5"])
def test_tokens_that_are_small(answer, solution, draw):
    # The tokens' mean square is about as large as eps.
    weights = _weights(draw, SIZES)
    weights["Wo.weight"] = 0 * weights["Wo.weight"]
    block = build(answer, SIZES, weights, "float64", by_name=False)
    for batch in ((), (2,)):
        x = draw(*batch, 5, 12) / 2**9
        block(tensor(x, "float64")).equals(expected_of(solution, SIZES, weights, x))


@pytest.mark.points(1, checks=["gradients for all of them"])
def test_gradients(answer, solution, draw):
    weights, inputs = _weights(draw, SIZES), (tensor(tokens_to_norm(draw, 2), "float64"), tensor(MASK))
    block, same = (build(thing, SIZES, weights, "float64") for thing in (answer, solution))
    block.gradients(*inputs).flows_like(same.gradients(*inputs))


@pytest.mark.points(0.5, checks=["If num_heads does not divide d_model, or num_kv_heads does not divide num_heads."])
def test_errors(answer):
    # Make all calls before checking, so that the diagnosis sees which error is missing.
    replies = [answer(*sizes) for sizes in ((12, 5, 5, 8), (12, 6, 4, 8), (12, 8, 4, 8))]
    for reply in replies:
        reply.raises("ValueError")


@pytest.mark.points(0.5, checks=["Each row sums to 1.", "float32 and float64"])
def test_weights_are_shares(answer, draw):
    block = build(answer, SIZES, _weights(draw, SIZES), "float64", by_name=False)
    for batch in ((), (2,)):
        require_shares(block(tensor(tokens_to_norm(draw, *batch), "float64"), tensor(MASK)), MASK)
