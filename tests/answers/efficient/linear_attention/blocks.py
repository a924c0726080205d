# expect: linear_attention passed
"""Blocks of sixteen tokens, each with a small table of pairs."""

import torch
import torch.nn.functional as F


def linear_attention(queries, keys, values, state=None):
    q, k = F.elu(queries) + 1, F.elu(keys) + 1
    if state is None:
        S = q.new_zeros(*q.shape[:-2], q.shape[-1], values.shape[-1])
        z = q.new_zeros(*q.shape[:-2], q.shape[-1])
    else:
        S, z = state
    out = []
    for a in range(0, q.shape[-2], 16):
        qb, kb, vb = q[..., a : a + 16, :], k[..., a : a + 16, :], values[..., a : a + 16, :]
        pairs = torch.tril(qb @ kb.transpose(-1, -2))
        top = pairs @ vb + qb @ S
        bottom = pairs.sum(-1, keepdim=True) + qb @ z.unsqueeze(-1)
        out.append(top / bottom)
        S = S + kb.transpose(-1, -2) @ vb
        z = z + kb.sum(-2)
    return torch.cat(out, -2), (S, z)
