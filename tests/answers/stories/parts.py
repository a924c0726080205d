# expect: all passed
"""Helpers outside of the class, a data class of sizes, and a mask that is added."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn


def rotate(x, positions):
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    speeds = 10000.0 ** (-torch.arange(pairs.shape[-1], dtype=torch.float64) / pairs.shape[-1])
    angles = positions[:, None].double() * speeds
    turned = pairs * torch.polar(torch.ones_like(angles), angles).to(pairs.dtype)
    return torch.view_as_real(turned).flatten(-2)


@dataclass(frozen=True)
class Sizes:
    d_model: int
    heads: int
    kv_heads: int

    def __post_init__(self):
        if self.d_model % self.heads or self.heads % self.kv_heads:
            raise ValueError(f"{self} does not divide")

    @property
    def d_h(self) -> int:
        return self.d_model // self.heads


def split(x: Tensor, d_h: int) -> Tensor:
    return x.unflatten(-1, (-1, d_h)).transpose(-3, -2)


def swish(x: Tensor) -> Tensor:
    return x / (1 + torch.exp(-x))


class LlamaBlock(nn.Module):
    def __init__(self, d_model: int, num_heads: int, num_kv_heads: int, d_hidden: int) -> None:
        super().__init__()
        self.sizes = Sizes(d_model, num_heads, num_kv_heads)
        d_kv = num_kv_heads * self.sizes.d_h
        self.norm1 = nn.RMSNorm(d_model, eps=1e-5)
        self.Wq = nn.Linear(d_model, d_model, bias=False)
        self.Wk = nn.Linear(d_model, d_kv, bias=False)
        self.Wv = nn.Linear(d_model, d_kv, bias=False)
        self.Wo = nn.Linear(d_model, d_model, bias=False)
        self.norm2 = nn.RMSNorm(d_model, eps=1e-5)
        self.gate = nn.Linear(d_model, d_hidden, bias=False)
        self.up = nn.Linear(d_model, d_hidden, bias=False)
        self.down = nn.Linear(d_hidden, d_model, bias=False)

    def forward(self, x, mask=None, cache=None, start=0):
        attended, weights = self.attend(self.norm1(x), mask, cache, start)
        x = torch.add(x, attended)
        return torch.add(x, self.feed_forward(self.norm2(x))), weights

    def feed_forward(self, x: Tensor) -> Tensor:
        return self.down(swish(self.gate(x)) * self.up(x))

    def attend(self, x, mask, cache, start):
        d_h, positions = self.sizes.d_h, torch.arange(start, start + x.shape[-2])
        q = rotate(split(self.Wq(x), d_h), positions) * d_h**-0.25
        k, v = rotate(split(self.Wk(x), d_h), positions), split(self.Wv(x), d_h)
        if cache is not None:
            k, v = cache.append(k, v)
        k, v = (torch.repeat_interleave(part, self.sizes.heads // self.sizes.kv_heads, -3) for part in (k, v))
        scores = q @ (k * d_h**-0.25).mT
        if mask is not None:
            scores = scores + torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)
        weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights
