# expect: sinusoidal_positions wrong
# told: Whoever works on one result must not change the next
import functools

import torch


@functools.cache
def sinusoidal_positions(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(n, d)
