# expect: sinusoidal_positions wrong
# expect: rotate wrong positions_divided_in_float32
"""Integer division of the exponents, and places divided in float32."""

import torch


def _put(a, b):
    return torch.stack([a, b], -1).flatten(-2)


def sinusoidal_positions(n, d):
    a = torch.arange(n).double()[:, None] / 10000 ** (torch.arange(0, d, 2) // d)
    return torch.stack([a.sin(), a.cos()], -1).reshape(n, d)


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    a = positions.float()[:, None] / base ** (torch.arange(0, d, 2).float() / d)
    u, w = x[..., ::2], x[..., 1::2]
    return _put(u * a.cos() - w * a.sin(), u * a.sin() + w * a.cos()).to(x.dtype)
