# expect: rotate wrong
# told: Your code changes its argument `x`.

import torch


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** -(torch.arange(0, d, 2) / d)
    angles = positions[:, None] * speeds
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., 0::2], x[..., 1::2]
    x[..., 0::2] = x1 * cos - x2 * sin
    x[..., 1::2] = x1 * sin + x2 * cos
    return x
