# expect: TransformerBlock wrong norm_of_the_sublayer_output
"""x + norm(layer(x))."""

import math

import torch
from torch import nn
from torch.nn import functional


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = positions[:, None] * speeds
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))
        self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def heads(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)

    def forward(self, x, mask=None, cache=None, start=0):
        q, k, v = self.heads(self.Wq(x)), self.heads(self.Wk(x)), self.heads(self.Wv(x))
        positions = torch.arange(start, start + x.shape[-2])
        q, k = rotate(q, positions), rotate(k, positions)
        if cache is not None:
            k, v = cache.append(k, v)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(dim=-1)
        x = x + self.norm1(self.Wo((weights @ v).transpose(-3, -2).flatten(-2)))
        return x + self.norm2(self.down(functional.gelu(self.up(x)))), weights
