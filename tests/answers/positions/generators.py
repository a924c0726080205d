# expect: all passed
"""Columns come from a generator; rotations work through roll and a sign."""

import itertools
import math

import torch


def columns(n, d):
    positions = torch.arange(n).double()
    for i, wave in itertools.product(range(0, d, 2), (torch.sin, torch.cos)):
        yield wave(positions * math.exp(-math.log(10000) * i / d))


def sinusoidal_positions(n, d):
    return torch.column_stack(list(columns(n, d)))


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = torch.stack([positions.double() / math.pow(base, i // 2 * 2 / d) for i in range(d)], -1)
    swapped = x.reshape(*x.shape[:-1], d // 2, 2).flip(-1).reshape(x.shape)
    sign = torch.tensor([-1, 1]).repeat(d // 2)
    return (x.double() * angle.cos() + swapped.double() * sign * angle.sin()).type_as(x)
