"""Hidden suite of TransformerBlock: the network alone, masks, positions, the cache, large scores, gradients."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, FLOAT64_SCALED, named
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

SIZES = (12, 3)
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


def _shapes(d_model):
    widths = dict.fromkeys(("Wq", "Wk", "Wv", "Wo"), (d_model, d_model))
    widths |= {"up": (4 * d_model, d_model), "down": (d_model, 4 * d_model)}
    shapes = {f"{name}.weight": shape for name, shape in widths.items()}
    shapes |= {f"{name}.bias": shape[:1] for name, shape in widths.items()}
    return shapes | {f"{name}.{part}": (d_model,) for name in ("norm1", "norm2") for part in ("weight", "bias")}


def _weights(draw, d_model):
    return {name: draw(*shape, **SMALL) for name, shape in _shapes(d_model).items()}


def _compare(answer, solution, draw, sizes, *several, dtype="float32"):
    compare_modules(answer, solution, sizes, _weights(draw, sizes[0]), *several, dtype=dtype)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    x = np.array([[2.0, 0.0, 0.0, 1.0], [0.0, 3.0, 1.0, 0.0], [1.0, 1.0, 5.0, 4.0]])
    weights = {name: np.zeros(shape) for name, shape in _shapes(4).items()} | {"down.bias": np.full(4, 0.5)}
    weights |= {"norm1.weight": np.ones(4), "norm2.weight": np.ones(4), "up.weight": np.eye(16, 4)}
    weights |= {f"{name}.weight": np.eye(4) for name in ("Wq", "Wk", "Wv", "Wo")}
    reply = build(answer, (4, 2), weights, "float64")(tensor(x, "float64"), tensor(causal(3)))
    reply.equals(expected_of(solution, (4, 2), weights, x, causal(3)))


@pytest.mark.points(1, checks=["names and shapes of the parameters"])
def test_parameters(answer, draw):
    for sizes in (SIZES, (8, 2), (4, 1)):
        block = build(answer, sizes, _weights(draw, sizes[0])).has_parameters(_shapes(sizes[0]))
        block(tensor(tokens_to_norm(draw, 2, d_model=sizes[0]))).leaves_arguments_alone()
        block.has_parameters(_shapes(sizes[0]))


@pytest.mark.points(2, checks=["each reads a normalised copy of the tokens, and adds its output to them"])
def test_without_attention(answer, solution, draw):
    # First, attention adds zeros, so only the network and its norm matter. Then, the network adds zeros instead.
    weights = _weights(draw, 12)
    for silent in (("Wo.weight", "Wo.bias"), ("down.weight", "down.bias")):
        some = weights | {name: 0 * weights[name] for name in silent}
        block = build(answer, SIZES, some, "float64", by_name=False)
        for batch in ((), (2,)):
            x = tokens_to_norm(draw, *batch)
            block(tensor(x, "float64")).equals(expected_of(solution, SIZES, some, x))


@pytest.mark.points(1, checks=["any leading batch dimensions, or none"])
def test_sizes_and_batches(answer, solution, draw):
    for sizes, batch, n in (
        ((4, 2), (), 3),
        ((4, 1), (3,), 4),
        (SIZES, (2, 3), 5),
        ((8, 4), (4,), 1),
        ((12, 2), (2,), 2),
    ):
        _compare(answer, solution, draw, sizes, (tokens_to_norm(draw, *batch, n=n, d_model=sizes[0]),))


@pytest.mark.points(
    1.5, checks=["masks that broadcast to `(..., num_heads, n, n_k)`", "scaled scores between -1,000,000 and 1,000,000"]
)
def test_masks(answer, solution, draw):
    several = [
        (tokens_to_norm(draw, 2), MASK),
        (tokens_to_norm(draw), causal(5)),
        (tokens_to_norm(draw, 3, n=4), causal(4)),
    ]
    # Masks for each head, for each text, for each head of each text, and with one row for all tokens.
    for batch, shape in (
        ((), (3, 5, 5)),
        ((2,), (2, 1, 5, 5)),
        ((2,), (2, 3, 5, 5)),
        ((2,), (5,)),
        ((3,), (3, 1, 1, 5)),
    ):
        mask = draw(*shape) > 0
        mask[..., 1], mask[..., 3] = True, False
        several.append((tokens_to_norm(draw, *batch), mask))
    _compare(answer, solution, draw, SIZES, *several, (tokens_to_norm(draw, 3),))  # without the masks again
    # One mask for each of two heads; and one for each text in two batch axes.
    own, of_text = draw(2, 5, 5) > 0, draw(2, 3, 1, 5, 5) > 0
    own[..., 1], of_text[..., 2] = True, True
    _compare(
        answer,
        solution,
        draw,
        (8, 2),
        (tokens_to_norm(draw, d_model=8), own),
        (tokens_to_norm(draw, 2, 3, d_model=8), of_text),
    )
    # Scores of all heads are near -3000, where a fill of -100 would be the largest. Each query sees only one key, so
    # that the precision of the angles has no effect.
    weights = {name: 0 * weight for name, weight in _weights(draw, 4).items()} | {"norm1.weight": np.full(4, 60.0)}
    weights |= {f"{name}.weight": sign * np.eye(4) for name, sign in (("Wq", 1), ("Wk", -1), ("Wo", 1))}
    weights["Wv.weight"] = draw(4, 4)
    x = np.array([1, -1, 1, -1]) + draw(5, 4) / 256
    mask = np.roll(np.eye(5, dtype=bool), 2, axis=1)
    reply = build(answer, (4, 1), weights, "float64", by_name=False)(tensor(x, "float64"), tensor(mask))
    reply.equals(expected_of(solution, (4, 1), weights, x, mask))


@pytest.mark.points(1, checks=["any `start`"])
def test_positions(answer, solution, draw):
    # Weights depend only on the distance, so `start` has an effect only with a cache; here it should have none.
    weights = _weights(draw, 12)
    block = build(answer, SIZES, weights, "float64", by_name=False)
    answer(12, 2)
    for n, start in ((5, 0), (5, 7), (3, 1000), (1, 2)):
        x = tokens_to_norm(draw, 2, n=n)
        reply = block(tensor(x, "float64"), tensor(causal(n)), None, start).leaves_arguments_alone()
        same = build(solution, SIZES, weights, "float64")
        reply.equals(named("x weights", same(tensor(x, "float64"), tensor(causal(n)), None, start)))


def _read(answer, solution, draw, tells, names, sizes=SIZES):
    for batch, n, mask, harness in pieces_to_read(tells):
        weights = _weights(draw, sizes[0])
        block = build(answer, sizes, weights, "float64", by_name=False)
        same = build(solution, sizes, weights, "float64")
        arguments = tensor(tokens_to_norm(draw, *batch, n=n, d_model=sizes[0]), "float64"), mask, harness
        block(*arguments).leaves_arguments_alone().equals(named(names, same(*arguments)))


@pytest.mark.points(2, checks=["what each call appends (the rotated keys and the unrotated values, once)"])
def test_what_is_appended(answer, solution, draw):
    names = "calls_of_append appended_keys appended_values"
    _read(answer, solution, draw, "cache", names, (12, 2))


@pytest.mark.points(2, checks=["with a cache (which may be empty): the output"])
def test_with_a_cache(answer, solution, draw):
    _read(answer, solution, draw, "output", "x weights")


@pytest.mark.points(1, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_large_scores(answer, solution, draw):
    weights = _weights(draw, 12)
    weights["Wq.weight"], weights["Wk.weight"] = 30 * weights["Wq.weight"], 30 * weights["Wk.weight"]
    x = tokens_to_norm(draw, 2, exact=False)
    reply = build(answer, SIZES, weights, "float64", by_name=False)(tensor(x, "float64"), tensor(MASK))
    reply.equals(expected_of(solution, SIZES, weights, x, MASK))


@pytest.mark.points(1, checks=["Over the d_model numbers of a token: before attention, and before the network."])
def test_tokens_of_small_spread(answer, solution, draw):
    # The tokens' variance is about as large as torch's default eps.
    weights = _weights(draw, 12)
    weights |= {f"Wo.{part}": 0 * weights[f"Wo.{part}"] for part in ("weight", "bias")}
    block = build(answer, SIZES, weights, "float64", by_name=False)
    for batch in ((), (2,)):
        x = 1 + draw(*batch, 5, 12) / 2**9
        block(tensor(x, "float64")).equals(expected_of(solution, SIZES, weights, x))


@pytest.mark.points(1, checks=["gradients for all of them"])
def test_gradients(answer, solution, draw):
    weights, inputs = _weights(draw, 12), (tensor(tokens_to_norm(draw, 2), "float64"), tensor(MASK))
    block, same = (build(thing, SIZES, weights, "float64") for thing in (answer, solution))
    block.gradients(*inputs).flows_like(same.gradients(*inputs))


@pytest.mark.points(1.5, checks=["Each row sums to 1.", "float32 and float64"])
def test_weights_are_shares(answer, draw):
    # Weights sum to 1 even if the norm, rotation or scale is wrong: other tests check these.
    block = build(answer, SIZES, _weights(draw, 12), "float64", by_name=False)
    for batch in ((), (2,)):
        require_shares(block(tensor(tokens_to_norm(draw, *batch), "float64"), tensor(MASK)), MASK, atol=FLOAT64_SCALED)
