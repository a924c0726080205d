# expect: sinusoidal_positions wrong
# expect: rotate wrong
"""Too few digits: half precision in the table, and speeds that were rounded to float32."""

import torch


def sinusoidal_positions(n, d):
    angles = torch.arange(n).double()[:, None] / 10000 ** (torch.arange(0, d, 2).double() / d)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(n, d).half().float()


def rotate(x, positions, base=10000.0):
    speeds = 1 / base ** (torch.arange(0, x.shape[-1], 2).float() / x.shape[-1])
    angles = positions.double()[:, None] * speeds.double()
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)
