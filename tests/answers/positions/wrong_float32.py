# expect: sinusoidal_positions wrong positions_as_fractions
# expect: rotate wrong float32_angles
"""The usual code, which is good for the first thousand places; and places as shares of the whole."""

import torch


def sinusoidal_positions(n, d):
    places = torch.arange(n) / n
    angles = places[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(n, d)


def rotate(x, positions, base=10000.0):
    freqs = 1.0 / (base ** (torch.arange(0, x.shape[-1], 2)[: x.shape[-1] // 2].float() / x.shape[-1]))
    freqs = torch.outer(positions.float(), freqs)
    turns = torch.polar(torch.ones_like(freqs), freqs)
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * turns).flatten(-2).to(x.dtype)
