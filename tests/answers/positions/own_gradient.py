# expect: all passed
"""A callable object for the table, and a turn with its own way back."""

import torch


def _ang(x, positions, base):
    d = x.shape[-1]
    return positions.double()[:, None] / base ** (torch.arange(0, d, 2).double() / d)


def _put(a, b):
    return torch.stack([a, b], -1).flatten(-2)


class Wave:
    def __init__(self, base):
        self.base = base

    def __call__(self, n, d):
        t = torch.empty(n, d // 2, 2)
        for i in range(d // 2):
            a = torch.arange(n) / self.base ** (2 * i / d)
            t[:, i, 0], t[:, i, 1] = a.sin(), a.cos()
        return t.view(n, d)


sinusoidal_positions = Wave(10000)


class Turn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, c, s):
        ctx.save_for_backward(c, s)
        return _put(x[..., ::2] * c - x[..., 1::2] * s, x[..., ::2] * s + x[..., 1::2] * c)

    @staticmethod
    def backward(ctx, g):
        c, s = ctx.saved_tensors
        return _put(g[..., ::2] * c + g[..., 1::2] * s, -g[..., ::2] * s + g[..., 1::2] * c), None, None


def rotate(x, positions, base=10000.0):
    a = _ang(x, positions, base)
    return Turn.apply(x, a.cos().to(x.dtype), a.sin().to(x.dtype))
