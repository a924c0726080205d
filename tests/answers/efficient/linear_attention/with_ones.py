# expect: linear_attention passed
"""A column of ones beside the values: z is the last column of S."""

import torch


def linear_attention(queries, keys, values, state=None):
    q, k = torch.nn.ELU()(queries) + 1, torch.nn.ELU()(keys) + 1
    v = torch.cat([values, torch.ones_like(values[..., :1])], dim=-1)
    memory = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=v.dtype)
    if state is not None:
        memory = torch.cat([state[0], state[1][..., None]], dim=-1)
    rows = []
    for i in range(k.shape[-2]):
        memory = memory + k[..., i, :, None] * v[..., i, None, :]
        row = (q[..., i, :, None] * memory).sum(dim=-2)
        rows.append(row[..., :-1] / row[..., -1:])
    return torch.stack(rows, dim=-2), (memory[..., :-1], memory[..., -1])
