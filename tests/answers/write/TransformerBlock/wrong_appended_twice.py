# expect: TransformerBlock wrong appended_twice
"""Appended twice."""

import math

import torch
from torch import nn
from torch.nn import functional


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    i = torch.arange(d // 2, dtype=torch.float64)
    angle = positions[:, None] / base ** (2 * i / d)
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).reshape(x.shape)


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.d_h = d_model // num_heads
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.Wv = nn.Linear(d_model, d_model)
        self.Wo = nn.Linear(d_model, d_model)
        self.up = nn.Linear(d_model, 4 * d_model)
        self.down = nn.Linear(4 * d_model, d_model)

    def split(self, x):
        return x.reshape(*x.shape[:-1], self.h, self.d_h).transpose(-2, -3)

    def forward(self, x, mask=None, cache=None, start=0):
        y = self.norm1(x)
        q, k, v = self.split(self.Wq(y)), self.split(self.Wk(y)), self.split(self.Wv(y))
        where = torch.arange(x.shape[-2]) + start
        q = rotate(q, where)
        k = rotate(k, where)
        if cache is not None:
            cache.append(k, v)
            k, v = cache.append(k, v)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_h)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = scores.softmax(dim=-1)
        found = (weights @ v).transpose(-2, -3).flatten(-2)
        x = x + self.Wo(found)
        x = x + self.down(functional.gelu(self.up(self.norm2(x))))
        return x, weights
