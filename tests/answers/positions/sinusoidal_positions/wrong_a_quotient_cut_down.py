# expect: sinusoidal_positions wrong exponent_rounded_down
"""A bracket that is missing."""

import math

import torch


def sinusoidal_positions(n, d):
    position = torch.arange(n).unsqueeze(1).float()
    div_term = torch.exp(torch.arange(0, d // 2, 1).float() * (-math.log(10000.0) / d // 2))
    table = torch.zeros(n, d)
    table[:, 0::2] = torch.sin(position * div_term)
    table[:, 1::2] = torch.cos(position * div_term)
    return table
