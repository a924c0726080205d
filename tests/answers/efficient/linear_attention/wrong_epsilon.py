# expect: linear_attention wrong epsilon_in_the_divisor
"""The usual epsilon."""

import torch
import torch.nn.functional as F


def linear_attention(queries, keys, values, state=None):
    q, k = F.elu(queries) + 1, F.elu(keys) + 1
    S, z = state if state is not None else (0, 0)
    out = []
    for i in range(q.shape[-2]):
        S = S + k[..., i, :, None] * values[..., i, None, :]
        z = z + k[..., i, :]
        out.append((q[..., i, None, :] @ S)[..., 0, :] / ((q[..., i, :] * z).sum(-1, keepdim=True) + 1e-3))
    return torch.stack(out, -2), (S, z)
