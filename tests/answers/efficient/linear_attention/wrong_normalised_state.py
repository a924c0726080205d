# expect: linear_attention wrong
"""The state is divided, not the output."""

import torch
import torch.nn.functional as F


def linear_attention(queries, keys, values, state=None):
    q, k = F.elu(queries) + 1, F.elu(keys) + 1
    S, z = state if state is not None else (0, 0)
    out = []
    for i in range(q.shape[-2]):
        S = S + k[..., i, :, None] * values[..., i, None, :]
        z = z + k[..., i, :]
        out.append((q[..., i, None, :] @ (S / z[..., None]))[..., 0, :])
    return torch.stack(out, -2), (S, z)
