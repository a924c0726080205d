# expect: all passed
"""Angles by NumPy, one pair after the other; prints, and a warning, are left over."""

import warnings

import numpy as np
import torch


def sinusoidal_positions(n, d):
    i = np.arange(d)
    angles = np.arange(n)[:, None] / np.power(10000, (2 * (i // 2)) / d)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    print(angles.shape)
    return torch.from_numpy(angles)


def rotate(x, positions, base=10000.0):
    warnings.warn("turning", stacklevel=1)
    d = x.size(-1)
    turned = []
    for i in range(0, d, 2):
        angles = positions.numpy() / np.float64(base) ** (i / d)
        cos = torch.from_numpy(np.cos(angles)).to(x)
        sin = torch.from_numpy(np.sin(angles)).to(x)
        turned += [cos * x[..., i] - sin * x[..., i + 1], sin * x[..., i] + cos * x[..., i + 1]]
    return torch.stack(turned, dim=-1)
