# expect: TransformerBlock passed
"""Whole, with a rotation of its own."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    t = positions[:, None] * base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)
    c, s = t.cos().to(x.dtype), t.sin().to(x.dtype)
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2)


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))
        self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x, mask=None, cache=None, start=0):
        y = self.norm1(x)
        q, k, v = (f(y).unflatten(-1, (self.h, -1)).transpose(-3, -2) for f in (self.Wq, self.Wk, self.Wv))
        p = torch.arange(start, start + x.shape[-2])
        q, k = rotate(q, p), rotate(k, p)
        if cache is not None:
            k, v = cache.append(k, v)
        s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            s = s.masked_fill(~mask, -math.inf)
        w = s.softmax(-1)
        found = self.Wo((w @ v).transpose(-3, -2).flatten(-2))
        x = x + found
        return x + self.down(F.gelu(self.up(self.norm2(x)))), w
