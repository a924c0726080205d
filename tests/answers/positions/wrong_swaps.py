# expect: sinusoidal_positions wrong sine_and_cosine_swapped
# expect: rotate wrong sine_and_cosine_swapped
"""Sines and cosines in each other's place."""

import torch


def _ang(x, positions, base):
    d = x.shape[-1]
    return positions.double()[:, None] / base ** (torch.arange(0, d, 2).double() / d)


def _put(a, b):
    return torch.stack([a, b], -1).flatten(-2)


def sinusoidal_positions(n, d):
    a = torch.arange(n).double()[:, None] / 10000 ** (torch.arange(0, d, 2).double() / d)
    return torch.stack([a.cos(), a.sin()], -1).reshape(n, d)


def rotate(x, positions, base=10000.0):
    a = _ang(x, positions, base)
    u, w = x[..., ::2], x[..., 1::2]
    return _put(u * a.sin() - w * a.cos(), u * a.cos() + w * a.sin()).to(x.dtype)
