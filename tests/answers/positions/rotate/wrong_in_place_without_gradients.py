# expect: rotate wrong
# plain: for the gradient of `x`, expected
"""It writes into x, hides that from autograd, and gives x itself back."""

import torch


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angles = positions.double()[:, None] / base ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2].clone(), x[..., 1::2].clone()
    with torch.no_grad():
        x[..., 0::2] = a * c - b * s
        x[..., 1::2] = a * s + b * c
    return x
