# expect: all passed
"""Stars; the cosine is a sine shifted by a quarter turn."""

from torch import *
from builtins import *
from math import pi


def sinusoidal_positions(n, d):
    column = arange(d)
    rate = exp(-(column - column % 2) / d * log(tensor(10000.0, dtype=float64)))
    return sin(arange(n, dtype=float64)[:, None] * rate + (column % 2) * (pi / 2))


def rotate(x, positions, base=10000.0):
    y = zeros_like(x)
    d = x.shape[-1]
    for i in range(d // 2):
        a = positions.to(float64) / base ** (2 * i / d)
        c, s = cos(a).to(x.dtype), sin(a).to(x.dtype)
        y[..., 2 * i] = x[..., 2 * i] * c - x[..., 2 * i + 1] * s
        y[..., 2 * i + 1] = x[..., 2 * i] * s + x[..., 2 * i + 1] * c
    return y
