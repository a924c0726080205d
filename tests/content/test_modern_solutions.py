"""The solutions of `positions` and `backward` agree with slow references, with torch, and with finite differences."""

import inspect
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional

from support import slow_backward, slow_positions
from support.grading import solution_module
from support.numbers import assert_close, numbers

POSITIONS, BACKWARD = solution_module("positions"), solution_module("backward")
STEADY = settings(max_examples=30, derandomize=True, deadline=None, database=None)
FEWER = settings(STEADY, max_examples=8)

sizes, pairs = st.integers(1, 5), st.integers(1, 5)
batches = st.lists(st.integers(1, 3), max_size=2).map(tuple)
generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)
bases = st.sampled_from((10_000.0, 10_000, 500_000.0, 100.0, 2.0))
places = st.lists(st.integers(0, 100_000), min_size=1, max_size=5)


def test_names_and_parameters_stay():
    signatures = {
        POSITIONS.sinusoidal_positions: "(n, d)",
        POSITIONS.rotate: "(x, positions, base=10000.0)",
        BACKWARD.softmax_backward: "(weights, grad)",
        BACKWARD.attention_backward: "(q, k, v, grad_output)",
    }
    assert {function: str(inspect.signature(function)) for function in signatures} == signatures


# positions --------------------------------------------------------------------------------------------------------


@STEADY
@given(st.integers(1, 40), pairs)
def test_sinusoidal_positions(n, half):
    got = POSITIONS.sinusoidal_positions(n, 2 * half)
    assert got.dtype == torch.float64
    assert_close([got], [slow_positions.sinusoidal_positions(n, 2 * half)], 1e-13)
    again = POSITIONS.sinusoidal_positions(n, 2 * half).zero_()
    assert not torch.equal(got, again), "two calls share their memory"


def test_sinusoidal_positions_far_away():
    got = POSITIONS.sinusoidal_positions(100_001, 8)[-1]
    expected = [wave(100_000 / 10**i) for i in range(4) for wave in (math.sin, math.cos)]
    assert_close([got], [expected], 1e-10)


@STEADY
@given(batches, pairs, places, bases, generators)
def test_rotate(batch, half, positions, base, rng):
    x, positions = numbers(rng, *batch, len(positions), 2 * half), torch.tensor(positions)
    before, places_before = x.clone(), positions.clone()
    got = POSITIONS.rotate(x, positions, base)
    assert torch.equal(x, before) and torch.equal(positions, places_before)
    assert_close([got], [slow_positions.rotate(x.tolist(), positions.tolist(), base)], 1e-9)
    in_float32 = POSITIONS.rotate(x.float(), positions, base)
    assert in_float32.dtype == torch.float32
    assert_close([in_float32.double()], [got], 1e-6)
    one_by_one = [POSITIONS.rotate(x[..., [row], :], positions[[row]], base) for row in range(len(positions))]
    assert_close([torch.cat(one_by_one, dim=-2)], [got], 1e-12)


@STEADY
@given(batches, sizes, pairs, st.integers(0, 100_000), generators)
def test_attention_between_turned_rows_knows_distances_alone(batch, n, half, steps, rng):
    """And lengths are kept."""
    q, k, v = (numbers(rng, *batch, n, 2 * half) for _ in range(3))
    outputs = []
    for first in (0, steps):
        turned = [POSITIONS.rotate(x, torch.arange(first, first + n)) for x in (q, k)]
        assert_close([x.norm(dim=-1) for x in turned], [x.norm(dim=-1) for x in (q, k)], 1e-12)
        outputs.append(functional.scaled_dot_product_attention(*turned, v))
    assert_close(outputs[:1], outputs[1:], 1e-8)


@FEWER
@given(batches, pairs, places, generators)
def test_gradients_reach_what_is_turned(batch, half, positions, rng):
    x = numbers(rng, *batch, len(positions), 2 * half).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: POSITIONS.rotate(x, torch.tensor(positions)), x)


# backward ---------------------------------------------------------------------------------------------------------


@STEADY
@given(batches, sizes, sizes, st.sampled_from((0.1, 1.0, 5.0)), generators)
def test_softmax_backward(batch, n_q, n_k, scale, rng):
    scores = (scale * numbers(rng, *batch, n_q, n_k)).requires_grad_()
    weights, grad = torch.softmax(scores, dim=-1), numbers(rng, *batch, n_q, n_k)
    by_autograd = torch.autograd.grad(weights, scores, grad)
    inputs = weights.detach(), grad
    before = [each.clone() for each in inputs]
    got = BACKWARD.softmax_backward(*inputs)
    assert all(map(torch.equal, inputs, before))
    assert_close([got], by_autograd, 1e-12)
    assert_close([got], [slow_backward.softmax_backward(*(each.tolist() for each in inputs))], 1e-9)
    in_float32 = BACKWARD.softmax_backward(*(each.float() for each in inputs))
    assert in_float32.dtype == torch.float32
    torch.testing.assert_close(in_float32.double(), got, rtol=1e-4, atol=1e-5)


def attention_inputs(rng, batch, n_q, n_k, d, d_v):
    return [numbers(rng, *batch, *shape) for shape in ((n_q, d), (n_k, d), (n_k, d_v), (n_q, d_v))]


@STEADY
@given(batches, sizes, sizes, sizes, sizes, st.sampled_from((0.3, 1.0, 60.0)), generators)
def test_attention_backward(batch, n_q, n_k, d, d_v, scale, rng):
    """Beside torch's own attention and autograd, which knows its way back."""
    q, k, v, grad_output = attention_inputs(rng, batch, n_q, n_k, d, d_v)
    inputs = [scale * q, scale * k, v, grad_output]
    before = [each.clone() for each in inputs]
    got = BACKWARD.attention_backward(*inputs)
    assert all(map(torch.equal, inputs, before))
    leaves = [each.clone().requires_grad_() for each in inputs[:3]]
    output = functional.scaled_dot_product_attention(*leaves)
    assert_close(got, torch.autograd.grad(output, leaves, grad_output), 1e-9)


@FEWER
@given(batches, sizes, sizes, sizes, sizes, generators)
def test_attention_backward_without_formulas(batch, n_q, n_k, d, d_v, rng):
    inputs = attention_inputs(rng, batch, n_q, n_k, d, d_v)
    got = BACKWARD.attention_backward(*inputs)
    assert_close(got, slow_backward.attention_backward(*(each.tolist() for each in inputs)), 1e-9)
    in_float32 = BACKWARD.attention_backward(*(each.float() for each in inputs))
    assert {each.dtype for each in in_float32} == {torch.float32}
    for ours, exact in zip(in_float32, got, strict=True):
        torch.testing.assert_close(ours.double(), exact, rtol=1e-3, atol=1e-4)


class AttentionByHand(torch.autograd.Function):
    """Attention whose way back is the solution's."""

    @staticmethod
    def forward(ctx, q, k, v):
        ctx.save_for_backward(q, k, v)
        return functional.scaled_dot_product_attention(q, k, v)

    @staticmethod
    def backward(ctx, grad_output):
        return BACKWARD.attention_backward(*ctx.saved_tensors, grad_output)


@pytest.mark.parametrize("batch", [(), (2,), (2, 1)])
def test_attention_backward_beside_finite_differences(batch):
    q, k, v, _ = attention_inputs(np.random.default_rng(3), batch, 2, 3, 4, 2)
    assert torch.autograd.gradcheck(AttentionByHand.apply, [each.requires_grad_() for each in (q, k, v)])


def test_scores_in_the_thousands_leave_numbers():
    q, k, v, grad_output = attention_inputs(np.random.default_rng(5), (2,), 3, 4, 2, 3)
    found = BACKWARD.attention_backward(1e3 * q, 1e3 * k, v, grad_output)
    assert all(gradient.isfinite().all() for gradient in found)
