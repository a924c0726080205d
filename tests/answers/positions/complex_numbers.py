# expect: all passed
"""Each pair is a complex number, and a rotation is a product with torch.polar."""

import torch


def sinusoidal_positions(n, d):
    angle = torch.outer(torch.arange(n, dtype=torch.double), 10000.0 ** (-torch.arange(0, d, 2).double() / d))
    waves = torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(1j * waves.conj()).reshape(n, d).float()


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions.double()[:, None] / base ** (torch.arange(0, d, 2).double() / d)
    pairs = torch.view_as_complex(x.double().unflatten(-1, (d // 2, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(-2).to(x.dtype)
