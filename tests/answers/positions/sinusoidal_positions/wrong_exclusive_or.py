# expect: sinusoidal_positions wrong one_low_frequency_for_all_pairs
"""`^` is no power."""

import math

import torch


def sinusoidal_positions(n, d):
    table = torch.zeros(n, d)
    for p in range(n):
        for i in range(d // 2):
            angle = p / (10000 ^ (2 * i // d))
            table[p, 2 * i] = math.sin(angle)
            table[p, 2 * i + 1] = math.cos(angle)
    return table
