# expect: all passed
"""A rotation matrix for each place and pair, applied by `einsum`."""

import torch


def _angles(places, d, base):
    return torch.einsum("n,i->ni", places.to(torch.float64), torch.pow(base, -torch.arange(0, d, 2).double() / d))


def sinusoidal_positions(n, d):
    angles = _angles(torch.arange(n), d, 10000.0)
    table = torch.zeros(n, d, dtype=torch.float64)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


def rotate(x, positions, base=10000.0):
    angles = _angles(positions, x.shape[-1], base)
    cos, sin = torch.cos(angles), torch.sin(angles)
    matrices = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2).to(x.dtype)
    pairs = x.unflatten(-1, (-1, 2))
    return torch.einsum("niab,...nib->...nia", matrices, pairs).reshape(x.shape)
