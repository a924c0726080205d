# expect: linear_attention passed
"""The function written out; views of one row; running sums for z."""

import torch


def feature(x):
    return torch.where(x > 0, x + 1, torch.exp(torch.clamp(x, max=0)))


def linear_attention(queries, keys, values, state=None):
    q, k = feature(queries), feature(keys)
    z = k.cumsum(dim=-2)
    if state is not None:
        z = z + state[1].unsqueeze(-2)
    S = 0 if state is None else state[0]
    rows = []
    for i in range(k.size(-2)):
        S = S + k[..., i : i + 1, :].mT @ values[..., i : i + 1, :]
        rows.append(q[..., i : i + 1, :] @ S)
    return torch.cat(rows, dim=-2) / (q * z).sum(-1, keepdim=True), (S, z[..., -1, :])
