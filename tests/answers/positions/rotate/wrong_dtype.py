# expect: rotate wrong
"""Float64 for the angles, and for all that comes after them."""

import torch


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angles = positions[:, None] * base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()
    return torch.stack(turned, dim=-1).flatten(-2)
