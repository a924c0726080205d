"""The solutions of `efficient` agree with slow references and with torch, and take no more memory than they may."""

import inspect
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from autograder.worker.memory import TensorWatch
from support import slow_efficient
from support.grading import solution_module
from support.numbers import assert_close, numbers

EFFICIENT = solution_module("efficient")
STEADY = settings(max_examples=25, derandomize=True, deadline=None, database=None)
FEWER = settings(STEADY, max_examples=6)

sizes = st.integers(1, 5)
batches = st.lists(st.integers(1, 3), max_size=2).map(tuple)
portions = st.lists(st.integers(1, 4), min_size=1, max_size=5)
blocks = st.integers(1, 9)
groups = st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 4))  # key heads, queries for each, width
generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def test_names_and_parameters_stay():
    signatures = {
        EFFICIENT.KeyValueCache: "()",
        EFFICIENT.KeyValueCache.append: "(self, k, v)",
        EFFICIENT.GroupedQueryAttention: "(d_model, num_heads, num_kv_heads)",
        EFFICIENT.GroupedQueryAttention.forward: "(self, queries, keys, values, mask=None)",
        EFFICIENT.sliding_window_mask: "(n, window)",
        EFFICIENT.online_softmax_attention: "(q, k, v, block_size)",
        EFFICIENT.linear_attention: "(queries, keys, values, state=None)",
    }
    assert {thing: str(inspect.signature(thing)) for thing in signatures} == signatures


# KeyValueCache ----------------------------------------------------------------------------------------------------


@STEADY
@given(batches, sizes, portions, sizes, generators)
def test_cache(batch, heads, lengths, d, rng):
    pieces = [tuple(numbers(rng, *batch, heads, m, d) for _ in range(2)) for m in lengths]
    before = [tuple(part.clone() for part in piece) for piece in pieces]
    cache, other, results = EFFICIENT.KeyValueCache(), EFFICIENT.KeyValueCache(), []
    for piece in pieces:
        results.append(cache.append(*piece))
        other.append(*(-part for part in piece))
    for number, result in enumerate(results, start=1):
        for so_far, parts in zip(result, zip(*pieces[:number], strict=True), strict=True):
            assert so_far.tolist() == slow_efficient.all_at_once([part.tolist() for part in parts])
    assert all(torch.equal(*pair) for piece in zip(pieces, before, strict=True) for pair in zip(*piece, strict=True))


def grouped(layer, queries, keys, values):
    """The heads of a layer, as they stand before attention."""
    projected = layer.Wq(queries), layer.Wk(keys), layer.Wv(values)
    return [x.unflatten(-1, (-1, layer.d_h)).transpose(-3, -2) for x in projected]


def attend(layer, q, k, v, mask=None):
    heads = functional.scaled_dot_product_attention(q, k, v, mask, enable_gqa=True)
    return layer.Wo(heads.transpose(-3, -2).flatten(-2))


@pytest.mark.parametrize("lengths", [(1,) * 9, (6, 1, 1, 1), (9,)])
def test_stepwise_with_a_cache_equals_all_at_once_and_projects_no_word_twice(lengths):
    layer = EFFICIENT.GroupedQueryAttention(12, 6, 2).double()
    words = torch.randn(2, 9, 12, dtype=torch.float64)
    expected, _ = layer(words, words, words, torch.ones(9, 9, dtype=torch.bool).tril())
    projected = {"Wq": [], "Wk": [], "Wv": []}
    for name, rows in projected.items():
        getattr(layer, name).register_forward_hook(lambda _, inputs, output, rows=rows: rows.append(output.shape[-2]))
    cache, outputs, seen = EFFICIENT.KeyValueCache(), [], 0
    for portion in words.split(lengths, dim=-2):
        m = portion.shape[-2]
        q, k, v = grouped(layer, portion, portion, portion)
        causal = torch.ones(m, seen + m, dtype=torch.bool).tril(seen)
        outputs.append(attend(layer, q, *cache.append(k, v), causal))
        seen += m
    torch.testing.assert_close(torch.cat(outputs, dim=-2), expected, rtol=1e-10, atol=1e-12)
    assert projected == {name: list(lengths) for name in projected}


# GroupedQueryAttention --------------------------------------------------------------------------------------------


def draw_attention(rng, batch, n_q, n_k, group):
    num_kv_heads, times, d_h = group
    d_model = num_kv_heads * times * d_h
    layer = EFFICIENT.GroupedQueryAttention(d_model, num_kv_heads * times, num_kv_heads).double().requires_grad_(False)
    mask = torch.from_numpy(rng.random((*batch, 1, n_q, n_k)) < 0.6)
    mask[..., 0] = True
    return layer, [numbers(rng, *batch, n, d_model) for n in (n_q, n_k, n_k)], mask


@STEADY
@given(batches, sizes, sizes, groups, st.booleans(), generators)
def test_grouped_query_attention_beside_torch(batch, n_q, n_k, group, masked, rng):
    layer, inputs, mask = draw_attention(rng, batch, n_q, n_k, group)
    before = [each.clone() for each in inputs]
    mask = mask if masked else None
    output, weights = layer(*inputs, mask)
    assert all(map(torch.equal, inputs, before))
    q, k, v = grouped(layer, *inputs)
    # Attention to a table of ones and zeros is the weights themselves.
    places = torch.eye(n_k, dtype=torch.float64).expand(*k.shape[:-1], n_k)
    expected = functional.scaled_dot_product_attention(q, k, places, mask, enable_gqa=True)
    assert_close([output, weights], [attend(layer, q, k, v, mask), expected], 1e-10)


@FEWER
@given(st.sampled_from(((), (2,))), st.integers(1, 3), st.integers(1, 3), groups, generators)
def test_grouped_query_attention_beside_loops(batch, n_q, n_k, group, rng):
    layer, inputs, mask = draw_attention(rng, batch, n_q, n_k, group)
    state = {name: parameter.tolist() for name, parameter in layer.named_parameters()}
    arguments = [each.tolist() for each in (*inputs, mask)]
    expected = slow_efficient.GroupedQueryAttention(state, group[0] * group[1], group[0], *arguments)
    expected = [np.array(each, dtype=float) for each in expected]
    assert_close(layer(*inputs, mask), expected, 1e-10)


@STEADY
@given(st.tuples(sizes), sizes, sizes, sizes, sizes, generators)
def test_with_as_many_groups_as_heads_it_is_multi_head_attention(batch, n_q, n_k, heads, d_h, rng):
    layer, inputs, _ = draw_attention(rng, batch, n_q, n_k, (heads, 1, d_h))
    theirs = nn.MultiheadAttention(heads * d_h, heads, batch_first=True, dtype=torch.float64).requires_grad_(False)
    theirs.in_proj_weight.copy_(torch.cat([layer.Wq.weight, layer.Wk.weight, layer.Wv.weight]))
    theirs.in_proj_bias.copy_(torch.cat([layer.Wq.bias, layer.Wk.bias, layer.Wv.bias]))
    theirs.out_proj.load_state_dict(layer.Wo.state_dict())
    assert_close(layer(*inputs), theirs(*inputs, average_attn_weights=False), 1e-10)


# sliding_window_mask ----------------------------------------------------------------------------------------------


@STEADY
@given(st.integers(1, 12), st.integers(1, 15))
def test_sliding_window_mask(n, window):
    got = EFFICIENT.sliding_window_mask(n, window)
    assert got.dtype == torch.bool
    assert got.tolist() == slow_efficient.sliding_window_mask(n, window)


# online_softmax_attention -----------------------------------------------------------------------------------------


def draw_heads(rng, batch, n_q, n_k, d, d_v):
    return [numbers(rng, *batch, *shape) for shape in ((n_q, d), (n_k, d), (n_k, d_v))]


@STEADY
@given(batches, sizes, st.integers(1, 9), sizes, sizes, blocks, st.sampled_from((0.3, 1.0, 1e3)), generators)
def test_online_softmax_attention(batch, n_q, n_k, d, d_v, block_size, scale, rng):
    q, k, v = draw_heads(rng, batch, n_q, n_k, d, d_v)
    inputs = [scale * q, scale * k, v]
    before = [each.clone() for each in inputs]
    got = EFFICIENT.online_softmax_attention(*inputs, block_size)
    assert all(map(torch.equal, inputs, before))
    assert_close([got], [functional.scaled_dot_product_attention(*inputs)], 1e-8)
    in_float32 = EFFICIENT.online_softmax_attention(*(each.float() for each in (q, k, v)), block_size)
    assert in_float32.dtype == torch.float32
    assert_close([in_float32.double()], [functional.scaled_dot_product_attention(q, k, v)], 1e-5)


@FEWER
@given(st.sampled_from(((), (2,))), sizes, sizes, sizes, sizes, blocks, generators)
def test_online_softmax_attention_beside_loops(batch, n_q, n_k, d, d_v, block_size, rng):
    inputs = draw_heads(rng, batch, n_q, n_k, d, d_v)
    expected = slow_efficient.online_softmax_attention(*(each.tolist() for each in inputs), block_size)
    got = EFFICIENT.online_softmax_attention(*inputs, block_size)
    assert_close([got], [np.array(expected, dtype=float)], 1e-10)


@FEWER
@given(batches, sizes, sizes, sizes, sizes, blocks, generators)
def test_online_softmax_gradients(batch, n_q, n_k, d, d_v, block_size, rng):
    leaves = [each.requires_grad_() for each in draw_heads(rng, batch, n_q, n_k, d, d_v)]
    upstream = numbers(rng, *batch, n_q, d_v)
    got, expected = (
        torch.autograd.grad(output, leaves, upstream)
        for output in (
            EFFICIENT.online_softmax_attention(*leaves, block_size),
            functional.scaled_dot_product_attention(*leaves),
        )
    )
    assert_close(got, expected, 1e-9)


@STEADY
@given(batches, st.integers(1, 12), st.integers(1, 60), sizes, sizes, st.integers(1, 20), generators)
def test_no_tensor_is_larger_than_the_contract_allows(batch, n_q, n_k, d, d_v, block_size, rng):
    inputs = draw_heads(rng, batch, n_q, n_k, d, d_v)
    with TensorWatch() as watch:
        EFFICIENT.online_softmax_attention(*inputs, block_size)
    width = max(d, d_v)
    allowed = max(n_q * block_size, block_size * width, n_q * width)
    assert 0 < math.prod(watch.largest) <= math.prod(batch) * allowed


def test_16384_keys_in_a_twentieth_of_the_memory_of_the_plain_form():
    q, k, v = (torch.randn(n, 64) for n in (256, 16_384, 16_384))
    with TensorWatch() as plain:
        expected = torch.softmax(q @ k.T / math.sqrt(64), dim=-1) @ v
    with TensorWatch() as online:
        got = EFFICIENT.online_softmax_attention(q, k, v, 256)
    torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)
    assert plain.peak >= 2 * 256 * 16_384 * 4
    assert 20 * online.peak <= plain.peak


# linear_attention -------------------------------------------------------------------------------------------------


@STEADY
@given(batches, portions, sizes, sizes, generators)
def test_linear_attention_is_the_masked_product_in_pieces_of_any_length(batch, lengths, d_k, d_v, rng):
    n = sum(lengths)
    queries, keys, values = (numbers(rng, *batch, n, width) for width in (d_k, d_k, d_v))
    pairs = ((functional.elu(queries) + 1) @ (functional.elu(keys) + 1).transpose(-2, -1)).tril()
    expected = pairs / pairs.sum(dim=-1, keepdim=True) @ values
    outputs, state = [], None
    for piece in zip(*(inputs.split(lengths, dim=-2) for inputs in (queries, keys, values)), strict=True):
        output, state = EFFICIENT.linear_attention(*piece, state)
        outputs.append(output)
    torch.testing.assert_close(torch.cat(outputs, dim=-2), expected)
    torch.testing.assert_close(EFFICIENT.linear_attention(queries, keys, values)[1], state)
