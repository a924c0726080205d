# expect: rotate wrong
# plain: returned nan, expected finite numbers
"""A division in place of a product."""

import torch


def rotate(x, positions, base=10000.0):
    width = x.shape[-1]
    angles = (positions[:, None] * base ** -(torch.arange(0, width, 2) / width)).to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = first * angles.cos() - second / angles.sin(), first * angles.sin() + second * angles.cos()
    return torch.stack(turned, dim=-1).flatten(-2)
