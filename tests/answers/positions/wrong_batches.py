# expect: sinusoidal_positions wrong transposed
# expect: rotate raised one_batch_axis_expected
"""A table on its side, and a shape of exactly three sizes."""

import torch


def sinusoidal_positions(n, d):
    angles = torch.arange(n).double() / 10000 ** (torch.arange(0, d, 2).double()[:, None] / d)
    return torch.stack([angles.sin(), angles.cos()], dim=1).reshape(d, n)


def rotate(x, positions, base=10000.0):
    b, n, d = x.shape
    angles = positions.double()[:, None] / base ** (torch.arange(0, d, 2).double() / d)
    pairs = torch.view_as_complex(x.double().reshape(b, n, d // 2, 2))
    turned = torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles))
    return turned.reshape(b, n, d).to(x.dtype)
