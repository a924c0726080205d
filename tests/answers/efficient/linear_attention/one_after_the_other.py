# expect: linear_attention passed
"""Recursion of one token on the state of those before."""

import torch
import torch.nn.functional as F


def step(q, k, v, S, z):
    S, z = torch.add(S, torch.matmul(k.unsqueeze(-1), v.unsqueeze(-2))), torch.add(z, k)
    return torch.matmul(q.unsqueeze(-2), S).squeeze(-2) / torch.sum(q * z, -1, keepdim=True), S, z


def linear_attention(queries, keys, values, state=None):
    q, k = F.elu(queries).add(1), F.elu(keys).add(1)
    *batch, n, d_k = k.shape
    if state is None:
        state = torch.zeros(*batch, d_k, values.shape[-1]).to(values), torch.zeros(*batch, d_k).to(values)
    S, z = state[0].clone(), state[1].clone()
    output = []
    for i in range(n):
        o, S, z = step(q[..., i, :], k[..., i, :], values[..., i, :], S, z)
        output.append(o.unsqueeze(-2))
    return torch.cat(output, dim=-2), (S, z)
