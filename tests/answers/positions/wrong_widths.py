# expect: sinusoidal_positions wrong last_hand_turns_by_one_ten_thousandth
# expect: rotate wrong
"""Nothing is turned behind column 63, and the last hand is too slow."""

import math

import torch


def _ang(x, positions, base):
    d = x.shape[-1]
    return positions.double()[:, None] / base ** (torch.arange(0, d, 2).double() / d)


def _put(a, b):
    return torch.stack([a, b], -1).flatten(-2)


def sinusoidal_positions(n, d):
    h = d // 2
    w = torch.exp(torch.arange(h).double() * -(math.log(10000) / max(h - 1, 1)))
    a = torch.arange(n).double()[:, None] * w
    return torch.stack([a.sin(), a.cos()], -1).reshape(n, d)


def rotate(x, positions, base=10000.0):
    a = _ang(x, positions, base)
    u, w = x[..., ::2], x[..., 1::2]
    y = _put(u * a.cos() - w * a.sin(), u * a.sin() + w * a.cos()).to(x.dtype)
    return torch.cat([y[..., :64], x[..., 64:]], -1)
