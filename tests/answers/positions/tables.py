# expect: all passed
"""Sines and cosines looked up in a table that reaches to the last place; neighbours swapped in a fresh tensor."""

import functools
import math

import torch


@functools.lru_cache(maxsize=8)
def _table(length, d, base):
    speeds = torch.exp(torch.arange(0, d, 2, dtype=torch.float64) * -(math.log(base) / d))
    angles = torch.arange(length, dtype=torch.float64).unsqueeze(1) * speeds
    return angles.sin(), angles.cos()


def sinusoidal_positions(n, d):
    sin, cos = _table(n, d, 10000.0)
    both = torch.empty((n, d), dtype=torch.float64)
    both[..., ::2] = sin
    both[..., 1::2] = cos
    return both


def rotate(x, positions, base=10000.0):
    sin, cos = (table[positions] for table in _table(int(positions.max()) + 1, x.shape[-1], float(base)))
    sin = sin.repeat_interleave(2, dim=-1).to(x.dtype)
    cos = cos.repeat_interleave(2, dim=-1).to(x.dtype)
    swapped = torch.empty_like(x)
    swapped[..., ::2] = x[..., 1::2].neg()
    swapped[..., 1::2] = x[..., ::2]
    result = x * cos
    result += swapped * sin
    return result
