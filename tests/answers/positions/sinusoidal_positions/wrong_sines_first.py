# expect: sinusoidal_positions wrong
# told: in other positions
"""All sines, and then all cosines, row below row."""

import torch


def sinusoidal_positions(n, d, base=10000.0):
    angles = torch.arange(n)[:, None] * base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)
    return torch.stack([angles.sin(), angles.cos()]).flatten(-2).float()
