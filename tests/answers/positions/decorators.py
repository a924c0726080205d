# expect: all passed
"""A decorator brings everything to float64 and back."""

import functools

import torch


def in_double(function):
    @functools.wraps(function)
    def inner(x, positions, *rest, **named):
        return function(x.to(torch.float64), positions.to(torch.float64), *rest, **named).to(x.dtype)

    return inner


@functools.lru_cache
def frequencies(d, base):
    return torch.pow(torch.tensor(base, dtype=torch.float64), -2 * torch.arange(d // 2, dtype=torch.float64) / d)


def sinusoidal_positions(n, d):
    angle = torch.arange(n).unsqueeze(1) * frequencies(d, 10000.0)
    table = torch.zeros(n, d, dtype=torch.float64)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


@in_double
def rotate(x, positions, base=10000.0):
    angle = (positions.unsqueeze(-1) * frequencies(x.shape[-1], float(base))).repeat_interleave(2, dim=-1)
    turned = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return x * angle.cos() + turned * angle.sin()
