# expect: sinusoidal_positions wrong
# told: Create a new result in each call
import functools

import torch


@functools.cache
def sinusoidal_positions(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(n, d)
