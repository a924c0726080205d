# expect: all passed
# like: llama_style.py
"""Which key head belongs to which query head, as an index; masked scores overwritten in a copy."""

import math

import torch
import torch.nn as nn
from torch.nn.functional import silu


def rotate(x, positions):
    width = x.shape[-1]
    powers = torch.arange(width, dtype=torch.float64) // 2 * 2 / width
    angles = torch.outer(positions.to(torch.float64), 10000.0**-powers)
    swapped = x[..., torch.arange(width) ^ 1] * torch.tensor([-1.0, 1.0], dtype=x.dtype).repeat(width // 2)
    return x * angles.cos().to(x.dtype) + swapped * angles.sin().to(x.dtype)


class LlamaBlock(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_hidden):
        nn.Module.__init__(self)
        if d_model % num_heads or num_heads % num_kv_heads:
            raise ValueError
        width = d_model // num_heads
        plain = dict(bias=False)
        self.h, self.kv, self.width = num_heads, num_kv_heads, width
        self.register_buffer("own", torch.arange(num_heads) // (num_heads // num_kv_heads), persistent=False)
        self.Wq, self.Wo = (nn.Linear(d_model, d_model, **plain) for _ in range(2))
        self.Wk, self.Wv = (nn.Linear(d_model, num_kv_heads * width, **plain) for _ in range(2))
        self.gate, self.up = (nn.Linear(d_model, d_hidden, **plain) for _ in range(2))
        self.down = nn.Linear(d_hidden, d_model, **plain)
        self.norm1, self.norm2 = (nn.RMSNorm(d_model, eps=1e-5) for _ in range(2))

    def forward(self, x, mask=None, cache=None, start=0):
        normed = self.norm1(x)
        q = self.Wq(normed).reshape(*x.shape[:-1], self.h, self.width).swapaxes(-2, -3)
        k = self.Wk(normed).reshape(*x.shape[:-1], self.kv, self.width).swapaxes(-2, -3)
        v = self.Wv(normed).reshape(*x.shape[:-1], self.kv, self.width).swapaxes(-2, -3)
        at = torch.tensor([start + i for i in range(x.shape[-2])])
        q, k = rotate(q, at), rotate(k, at)
        if cache is not None:
            k, v = cache.append(k, v)
        k, v = k.index_select(-3, self.own), v.index_select(-3, self.own)
        scores = (q @ k.swapaxes(-1, -2)).div(math.sqrt(self.width))
        if mask is not None:
            scores = scores.clone()
            scores[~mask.expand(scores.shape)] = -1e30
        weights = scores.softmax(-1)
        mixed = (weights @ v).swapaxes(-2, -3).reshape(x.shape)
        x = x + self.Wo(mixed)
        normed = self.norm2(x)
        return x + self.down(silu(self.gate(normed)).mul(self.up(normed))), weights
