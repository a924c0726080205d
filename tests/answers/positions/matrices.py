# expect: all passed
"""A block-diagonal rotation matrix for every position."""

import math

import torch


def sinusoidal_positions(n, d):
    rows = []
    for p in range(n):
        row = []
        for i in range(d // 2):
            angle = p / math.pow(10000, 2 * i / d)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows)


def turning(angle):
    return torch.tensor([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]], dtype=torch.float64)


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    matrices = [
        torch.block_diag(*(turning(p / base ** (2 * i / d)) for i in range(d // 2))) for p in positions.tolist()
    ]
    return torch.einsum("pij,...pj->...pi", torch.stack(matrices).to(x.dtype), x)
