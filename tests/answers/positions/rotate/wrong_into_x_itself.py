# expect: rotate wrong
"""Into x itself, the second line sees what the first has written."""

import torch


def rotate(x, positions, base=10000.0):
    d = x.size(-1)
    i = torch.arange(d // 2, dtype=torch.float64)
    angle = positions.to(torch.float64)[:, None] / base ** (2 * i / d)
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    out = x
    a, b = x[..., ::2], x[..., 1::2]
    out[..., ::2] = a * c - b * s
    out[..., 1::2] = a * s + b * c
    return out
