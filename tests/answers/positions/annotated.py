# expect: all passed
"""The table of many tutorials, in float32 throughout; rotary angles in the dtype of the queries."""

import math

import torch


def sinusoidal_positions(n, d):
    pe = torch.zeros(n, d)
    position = torch.arange(0, n).unsqueeze(1).float()
    div_term = torch.exp(torch.arange(0, d, 2).float() * -(math.log(10000.0) / d))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


def rotate(x, positions, base=10000.0):
    inv_freq = 1.0 / (base ** (torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1]))
    freqs = positions.to(x.dtype)[:, None] * inv_freq[None, :]
    out = torch.zeros_like(x)
    x1, x2 = x[..., ::2], x[..., 1::2]
    out[..., ::2] = x1 * freqs.cos() - x2 * freqs.sin()
    out[..., 1::2] = x2 * freqs.cos() + x1 * freqs.sin()
    return out
