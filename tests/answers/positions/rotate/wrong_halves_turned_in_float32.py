# expect: rotate wrong half_split
import torch


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angles = positions.float()[:, None] * base ** -(torch.arange(0, d, 2) / d)
    c, s = angles.cos(), angles.sin()
    a, b = x.float()[..., : d // 2], x.float()[..., d // 2 :]
    return torch.cat([a * c - b * s, a * s + b * c], dim=-1).to(x.dtype)
