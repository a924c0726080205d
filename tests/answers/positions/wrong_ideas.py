# expect: sinusoidal_positions wrong
# expect: rotate wrong
"""Other waves: with a factor of pi, and turning twice as far. Lengths and distances look fine."""

import math

import torch


def sinusoidal_positions(n, d):
    angles = torch.arange(n).double()[:, None] / 10000 ** (torch.arange(0, d, 2).double() / d)
    angles = math.pi * angles
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(n, d)


def rotate(x, positions, base=10000.0):
    for _ in range(2):
        speeds = base ** -(torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
        angles = positions[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., 0::2], x[..., 1::2]
        x = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)
    return x
