# expect: sinusoidal_positions wrong half_split
# expect: rotate wrong half_split
"""Right in another library: halves of a row make the pairs."""

import torch


def _angles(positions, d, base):
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2).double() / d))
    freqs = torch.outer(positions.double(), inv_freq)
    return torch.cat((freqs, freqs), dim=-1)


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def sinusoidal_positions(n, d):
    angles = _angles(torch.arange(n), d, 10000.0)[:, : d // 2]
    return torch.cat([angles.sin(), angles.cos()], dim=1)


def rotate(x, positions, base=10000.0):
    angles = _angles(positions, x.shape[-1], base)
    return x * angles.cos().to(x.dtype) + rotate_half(x) * angles.sin().to(x.dtype)
