# expect: all passed
"""Each place from the one before it by the sums of angles, and batches taken apart one by one."""

import torch


def _ang(x, positions, base):
    d = x.shape[-1]
    return positions.double()[:, None] / base ** (torch.arange(0, d, 2).double() / d)


def _put(a, b):
    return torch.stack([a, b], -1).flatten(-2)


def sinusoidal_positions(n, d):
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    s, c = torch.zeros(d // 2, dtype=torch.float64), torch.ones(d // 2, dtype=torch.float64)
    out = []
    for _ in range(n):
        out.append(torch.stack([s, c], 1).ravel())
        s, c = s * w.cos() + c * w.sin(), c * w.cos() - s * w.sin()
    return torch.stack(out)


def rotate(x, positions, base=10000.0):
    if x.dim() > 2:
        return torch.stack([rotate(y, positions, base) for y in x])
    a = _ang(x, positions, base)
    e, o = x[:, ::2], x[:, 1::2]
    return _put(e * a.cos() - o * a.sin(), e * a.sin() + o * a.cos()).to(x.dtype)
