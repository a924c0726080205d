# expect: rotate wrong default_base_1000
"""A zero too few."""

import torch


def rotate(x, positions, base=10_00.0):
    d = x.shape[-1]
    angles = positions.double()[:, None] / base ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(-2)
