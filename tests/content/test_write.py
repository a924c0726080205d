"""The chapter `write`: its solutions agree with torch's own, and suites judge what was drawn and not how."""

import inspect
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from support.grading import grade_source, solution_module

CHAPTER, EFFICIENT, POSITIONS = map(solution_module, ("write", "efficient", "positions"))
STEADY = settings(max_examples=30, derandomize=True, deadline=None, database=None)

batches = st.lists(st.integers(1, 3), max_size=2).map(tuple)
sizes = st.integers(1, 6)
seeds = st.integers(0, 2**32 - 1)


def test_names_and_parameters_stay():
    signatures = {
        CHAPTER.TransformerBlock: "(d_model, num_heads)",
        CHAPTER.TransformerBlock.forward: "(self, x, mask=None, cache=None, start=0)",
        CHAPTER.next_token_loss: "(logits, tokens, mask=None)",
        CHAPTER.train_step: "(model, optimizer, tokens, max_norm=1.0)",
        CHAPTER.sample: "(logits, temperature=1.0, top_k=None, generator=None)",
    }
    assert {thing: str(inspect.signature(thing)) for thing in signatures} == signatures


@STEADY
@given(batches, sizes, st.integers(1, 3), st.integers(1, 3), st.integers(0, 50), seeds)
def test_a_block_is_made_of_torchs_own_parts(batch, n, heads, half, start, seed):
    torch.manual_seed(seed)
    d_model = 2 * half * heads
    block, x = CHAPTER.TransformerBlock(d_model, heads).double(), torch.randn(*batch, n, d_model).double()
    causal = torch.ones(n, n, dtype=torch.bool).tril()
    normed = functional.layer_norm(x, (d_model,))
    q, k, v = (layer(normed).unflatten(-1, (heads, -1)).transpose(-3, -2) for layer in (block.Wq, block.Wk, block.Wv))
    q, k = (POSITIONS.rotate(part, torch.arange(start, start + n)) for part in (q, k))
    found = functional.scaled_dot_product_attention(q, k, v, causal)
    expected = x + block.Wo(found.transpose(-3, -2).flatten(-2))
    network = nn.Sequential(block.norm2, block.up, nn.GELU(), block.down)
    expected = expected + network(expected)
    output, weights = block(x, causal, None, start)
    torch.testing.assert_close(output, expected)
    torch.testing.assert_close(weights @ v, found)


@STEADY
@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.integers(0, 9), seeds)
def test_pieces_with_ones_own_cache_give_what_the_whole_gives(lengths, start, seed):
    torch.manual_seed(seed)
    n, block = sum(lengths), CHAPTER.TransformerBlock(8, 2).double()
    x, causal = torch.randn(3, n, 8).double(), torch.ones(n, n, dtype=torch.bool).tril()
    cache, at, pieces = EFFICIENT.KeyValueCache(), 0, []
    for length in lengths:
        rows = causal[at : at + length, : at + length]
        pieces.append(block(x[:, at : at + length], rows, cache, start + at)[0])
        at += length
    torch.testing.assert_close(torch.cat(pieces, dim=-2), block(x, causal)[0])


@STEADY
@given(sizes, st.integers(2, 6), st.integers(1, 5), st.booleans(), seeds)
def test_the_loss_guess_by_guess(b, n, c, masked, seed):
    generator = torch.Generator().manual_seed(seed)
    logits, tokens = torch.randn(b, n, c, generator=generator), torch.randint(0, c, (b, n), generator=generator)
    mask = torch.rand(b, n, generator=generator) < 0.6 if masked else None
    guesses = [
        -math.log(torch.softmax(logits[i, p].double(), dim=-1)[tokens[i, p + 1]])
        for i in range(b)
        for p in range(n - 1)
        if mask is None or mask[i, p + 1]
    ]
    got = CHAPTER.next_token_loss(logits, tokens, mask)
    assert got.shape == () and got.item() == pytest.approx(np.mean(guesses) if guesses else 0, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("make", [torch.optim.SGD, torch.optim.AdamW])
def test_steps_are_those_of_torch(make):
    torch.manual_seed(0)
    ours, theirs = (nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 5)).double() for _ in range(2))
    theirs.load_state_dict(ours.state_dict())
    optimizers = [make(model.parameters(), lr=0.1) for model in (ours, theirs)]
    for _ in range(4):
        tokens = torch.randint(0, 5, (3, 6))
        loss = functional.cross_entropy(theirs(tokens)[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
        optimizers[1].zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(theirs.parameters(), 0.1)
        optimizers[1].step()
        assert CHAPTER.train_step(ours, optimizers[0], tokens, 0.1) == pytest.approx(loss.item())
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize(("temperature", "top_k"), [(1.0, None), (0.5, None), (3.0, 3), (1.0, 1)])
def test_draws_come_as_often_as_they_should(temperature, top_k):
    logits = torch.tensor([0.5, -1.0, 2.0, 0.0, 1.0], dtype=torch.float64)
    generator, kept = torch.Generator().manual_seed(1), logits.topk(top_k or 5).indices
    expected = torch.zeros(5, dtype=torch.float64).index_put_((kept,), torch.softmax(logits[kept] / temperature, 0))
    drawn = CHAPTER.sample(logits.expand(20_000, 5), temperature, top_k, generator)
    torch.testing.assert_close(drawn.bincount(minlength=5) / 20_000, expected.float(), rtol=0, atol=0.02)


PEEKING = """
import sys

import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    frame = sys._getframe()
    while frame:
        if "between" in frame.f_locals and len(frame.f_locals["between"]):
            probabilities = sum(frame.f_locals["between"]) / 2
            return torch.multinomial(probabilities.clamp(min=0).expand(logits.shape), 1, generator=generator)[..., 0]
        frame = frame.f_back
    return torch.randint(0, logits.shape[-1], logits.shape[:-1], generator=generator)
"""

LYING = """
import torch
from worker import harness


def draw(sample, arguments, *, tells, **settings):
    c = arguments[0].shape[-1]
    return {{"shares": torch.{}, "drawn": torch.ones(c) > 0, "repeats": {{}}}}[tells]


harness.HARNESSES["draw"] = draw


def sample(logits, temperature=1.0, top_k=None, generator=None):
    return logits.argmax(-1)
"""
LIES = "zeros(c)", "zeros(c).double()", "full((c,), torch.nan).double()"


@pytest.mark.parametrize("source", [PEEKING, *map(LYING.format, LIES)])
def test_how_often_tokens_come_is_decided_by_the_grader_alone(source):
    tests = {test.name: test.points for test in grade_source(source, "write", ["sample"])["sample"].tests}
    assert tests["how_often_each_comes"] == 0


def test_what_a_harness_hands_over_is_named_in_the_call():
    # Neither the model nor its numbers are shown: the call is one that could be typed.
    source = "def train_step(model, optimizer, tokens, max_norm=1.0):\n    return 0.0\n"
    verdict = grade_source(source, "write", ["train_step"])["train_step"]
    assert verdict.points == 0 and "train_step(model, optimizer, tensor(" in verdict.message
    source = "def sample(logits, temperature=1.0, top_k=None, generator=None):\n    return generator.no_such_thing\n"
    verdict = grade_source(source, "write", ["sample"])["sample"]
    assert "no_such_thing" in verdict.message
