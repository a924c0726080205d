# expect: rotate wrong both_sines_added
import torch


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    theta = positions.double()[:, None] / base ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    cos, sin = theta.cos().to(x.dtype), theta.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos + b * sin, b * cos + a * sin], dim=-1).flatten(-2)
