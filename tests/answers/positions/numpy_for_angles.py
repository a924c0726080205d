# expect: all passed
"""NumPy makes the angles, which need no gradient; torch turns."""

import numpy as np
import torch


def angles(positions, d, base):
    return np.divide.outer(np.asarray(positions, dtype=np.float64), base ** (np.arange(0, d, 2) / d))


def sinusoidal_positions(n, d):
    table = np.empty((n, d))
    table[:, ::2] = np.sin(angles(np.arange(n), d, 10000))
    table[:, 1::2] = np.cos(angles(np.arange(n), d, 10000))
    return torch.from_numpy(table)


def rotate(x, positions, base=10000.0):
    angle = angles(positions.numpy(), x.shape[-1], float(base))
    cos, sin = (torch.as_tensor(f(angle), dtype=x.dtype) for f in (np.cos, np.sin))
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, odd * cos + even * sin), -1).reshape(x.shape)
