# expect: all passed
"""Decorators check arguments and choose the mode; draws by multinomial on flat rows."""

import functools
import math

import torch
import torch.nn.functional as F
from torch import nn


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions.double()[:, None] / base ** (torch.arange(0, d, 2).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


def residual(function):
    @functools.wraps(function)
    def inner(self, x, *args, **kwargs):
        result = function(self, x, *args, **kwargs)
        return (x + result[0], result[1]) if isinstance(result, tuple) else x + result

    return inner


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        for name in ("norm1", "norm2"):
            self.add_module(name, nn.LayerNorm(d_model))
        for name in ("Wq", "Wk", "Wv", "Wo"):
            self.add_module(name, nn.Linear(d_model, d_model))
        self.add_module("up", nn.Linear(d_model, d_model * 4))
        self.add_module("down", nn.Linear(d_model * 4, d_model))

    @residual
    def look(self, x, mask, cache, start):
        x = self.norm1(x)
        n, h = x.shape[-2], self.num_heads
        heads = lambda y: torch.stack(y.chunk(h, -1), -3)  # noqa: E731
        turn = lambda y: rotate(y, torch.arange(n) + start)  # noqa: E731
        q, k, v = turn(heads(self.Wq(x))), turn(heads(self.Wk(x))), heads(self.Wv(x))
        if cache is not None:
            k, v = cache.append(k, v)
        s = q @ k.mT / math.sqrt(q.shape[-1])
        s = s if mask is None else torch.where(mask, s, -1e30)
        w = F.softmax(s, -1)
        return self.Wo(torch.cat((w @ v).unbind(-3), -1)), w

    @residual
    def think(self, x):
        return self.down(F.gelu(self.up(self.norm2(x))))

    def forward(self, x, mask=None, cache=None, start=0):
        x, weights = self.look(x, mask, cache, start)
        return self.think(x), weights


def next_token_loss(logits, tokens, mask=None):
    targets = tokens[:, 1:].clone()
    if mask is not None:
        targets[~mask[:, 1:]] = -100
        if not mask[:, 1:].any():
            return torch.zeros((), dtype=logits.dtype)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), targets.flatten(), ignore_index=-100)


def in_training(function):
    @functools.wraps(function)
    def inner(model, *args, **kwargs):
        before = model.training
        model.train(True)
        try:
            return function(model, *args, **kwargs)
        finally:
            model.train(before)

    return inner


@in_training
def train_step(model, optimizer, tokens, max_norm=1.0):
    def closure():
        optimizer.zero_grad()
        loss = next_token_loss(model(tokens), tokens)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for group in optimizer.param_groups for p in group["params"]], max_norm)
        return loss

    return float(optimizer.step(closure))


def checked(function):
    @functools.wraps(function)
    def inner(logits, temperature=1.0, top_k=None, generator=None):
        if temperature < 0:
            raise ValueError("temperature must not be negative")
        if top_k is not None and top_k not in range(1, logits.shape[-1] + 1):
            raise ValueError("top_k must be within 1 .. c")
        return function(logits, temperature, top_k, generator)

    return inner


@checked
def sample(logits, temperature, top_k, generator):
    if temperature == 0:
        return torch.max(logits, dim=-1)[1]
    values, places = torch.topk(logits, top_k or logits.shape[-1], dim=-1)
    probabilities = F.softmax((values - values[..., :1]) / temperature, dim=-1)
    flat = probabilities.reshape(-1, probabilities.shape[-1])
    drawn = torch.multinomial(flat, 1, generator=generator).reshape(*places.shape[:-1], 1)
    return places.gather(-1, drawn).squeeze(-1)
