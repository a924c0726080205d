# expect: all passed
"""Row p is row p - 1 turned once more, by the addition theorems; rotate by halves of the width."""

import torch


def sinusoidal_positions(n, d):
    step = 1 / 10000 ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    sine, cosine = torch.zeros(d // 2, dtype=torch.float64), torch.ones(d // 2, dtype=torch.float64)
    rows = []
    for _ in range(n):
        rows.append(torch.stack([sine, cosine], dim=-1).flatten())
        sine, cosine = sine * step.cos() + cosine * step.sin(), cosine * step.cos() - sine * step.sin()
    return torch.stack(rows)


def rotate(x, positions, base=10000.0, first=0, width=None):
    d = x.shape[-1]
    width = width or d
    if d > 2:
        half = d // 4 * 2 or 2
        left = rotate(x[..., :half], positions, base, first, width)
        right = rotate(x[..., half:], positions, base, first + half, width)
        return torch.cat([left, right], dim=-1)
    angle = positions.to(torch.float64) / base ** (first / width)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x.unbind(dim=-1)
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
