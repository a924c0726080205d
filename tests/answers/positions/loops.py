# expect: all passed
"""One number at a time, with Python's own sine and cosine."""

import math

import torch


def sinusoidal_positions(n, d):
    table = []
    for place in range(n):
        row = []
        for pair in range(d // 2):
            angle = place / math.pow(10000, 2 * pair / d)
            row.append(math.sin(angle))
            row.append(math.cos(angle))
        table.append(row)
    return torch.tensor(table)


def rotate(x, positions, base=10000.0):
    columns = [None] * x.shape[-1]
    for i in range(x.shape[-1] // 2):
        speed = base ** (-2 * i / x.shape[-1])
        rows_a, rows_b = [], []
        for row, place in enumerate(positions.tolist()):
            a, b, angle = x[..., row, 2 * i], x[..., row, 2 * i + 1], place * speed
            rows_a.append(a * math.cos(angle) - b * math.sin(angle))
            rows_b.append(a * math.sin(angle) + b * math.cos(angle))
        columns[2 * i], columns[2 * i + 1] = torch.stack(rows_a, dim=-1), torch.stack(rows_b, dim=-1)
    return torch.stack(columns, dim=-1)
