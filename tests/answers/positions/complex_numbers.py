# expect: all passed
"""A pair of columns as one complex number, turned by multiplying it with another."""

import torch


def _turns(places, d, base):
    speeds = 1.0 / base ** (torch.arange(0, d, 2).double() / d)
    angles = torch.outer(places.double(), speeds)
    return torch.polar(torch.ones_like(angles), angles)


def sinusoidal_positions(n, d):
    turns = _turns(torch.arange(n), d, 10000)
    return torch.view_as_real(turns).flip(-1).reshape(n, d)


def rotate(x, positions, base=10000.0):
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * _turns(positions, x.shape[-1], base)).flatten(-2).type_as(x)
