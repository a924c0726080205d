# expect: sinusoidal_positions wrong
# expect: rotate wrong positions_in_16_bits
"""Tables that end: at place 512, and at place 65536, where it starts again."""

import torch

PLACES = torch.arange(512).double()[:, None]


def sinusoidal_positions(n, d):
    angles = PLACES / 10000 ** (torch.arange(0, d, 2).double() / d)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(512, d)[:n]


def rotate(x, positions, base=10000.0):
    speeds = base ** -(torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angles = (positions % 65536)[:, None] * speeds
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)
