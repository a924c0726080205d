# expect: sinusoidal_positions wrong separate_angle_for_every_column_and_exponent_doubled
"""The loop of a much copied tutorial."""

import math

import torch


def sinusoidal_positions(n, d):
    table = torch.zeros(n, d)
    for pos in range(n):
        for i in range(0, d, 2):
            table[pos, i] = math.sin(pos / (10000 ** ((2 * i) / d)))
            table[pos, i + 1] = math.cos(pos / (10000 ** ((2 * (i + 1)) / d)))
    return table
