# expect: all passed
"""A dataclass of a wheel for each pair."""

from dataclasses import dataclass

import torch


@dataclass
class Wheel:
    number: int
    d: int
    base: float = 10000.0

    def angle(self, positions):
        return positions.double() * self.base ** (-2 * self.number / self.d)

    def turn(self, x, positions):
        a, b = x[..., 2 * self.number], x[..., 2 * self.number + 1]
        c, s = torch.cos(self.angle(positions)), torch.sin(self.angle(positions))
        return a * c - b * s, a * s + b * c


def sinusoidal_positions(n, d):
    positions = torch.arange(n)
    columns = []
    for number in range(d // 2):
        angle = Wheel(number, d).angle(positions)
        columns.extend((angle.sin(), angle.cos()))
    return torch.stack(columns, dim=1).to(torch.float32)


def rotate(x, positions, base=10000.0):
    columns = [c for i in range(x.shape[-1] // 2) for c in Wheel(i, x.shape[-1], base).turn(x, positions)]
    return torch.stack(columns, dim=-1).to(dtype=x.dtype)
