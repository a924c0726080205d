# expect: all passed
"""All axes in front are flattened to one; queries are done one by one; views and stacks."""

import torch
import torch.nn.functional as F
from torch import nn


class Column:
    def __init__(self):
        self.store = None

    def __iadd__(self, new):
        self.store = new.clone() if self.store is None else torch.concatenate((self.store, new), axis=-2)
        return self


class KeyValueCache:
    def __init__(self):
        self.k, self.v = Column(), Column()

    def append(self, k, v):
        self.k += k
        self.v += v
        return self.k.store, self.v.store


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wo = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, num_kv_heads * (d_model // num_heads))
        self.Wv = nn.Linear(d_model, num_kv_heads * (d_model // num_heads))

    def forward(self, queries, keys, values, mask=None):
        front, n_q, n_k = queries.shape[:-2], queries.shape[-2], keys.shape[-2]
        h, g = self.num_heads, self.num_kv_heads
        q = self.Wq(queries).reshape(-1, n_q, h, self.Wq.out_features // h).permute(0, 2, 1, 3)
        k = self.Wk(keys).reshape(-1, n_k, g, self.Wq.out_features // h).permute(0, 2, 1, 3)
        v = self.Wv(values).reshape(-1, n_k, g, self.Wq.out_features // h).permute(0, 2, 1, 3)
        k, v = (torch.repeat_interleave(x, h // g, dim=1) for x in (k, v))
        scores = (q @ k.transpose(2, 3)) / q.shape[-1] ** 0.5
        if mask is not None:
            seen = mask.broadcast_to(*front, h, n_q, n_k).reshape(-1, h, n_q, n_k)
            scores = scores.masked_fill(~seen, float("-inf"))
        weights = F.softmax(scores, dim=3)
        output = (weights @ v).permute(0, 2, 1, 3).reshape(*front, n_q, -1)
        return self.Wo(output), weights.reshape(*front, h, n_q, n_k)


def sliding_window_mask(n, window):
    table = torch.full((n, n), False)
    for behind in range(min(n, window)):
        table.diagonal(-behind).fill_(True)
    return table


def online_softmax_attention(q, k, v, block_size):
    rows = []
    for i in range(q.shape[-2]):
        row = q[..., i : i + 1, :] / q.shape[-1] ** 0.5
        top = total = None
        for j in range(0, k.shape[-2], block_size):
            s = row @ k[..., j : j + block_size, :].mT
            here = s.max(-1, True).values
            new = here if top is None else torch.maximum(top, here)
            p = torch.exp(s - new)
            if top is None:
                total, mixed = p.sum(-1, True), p @ v[..., j : j + block_size, :]
            else:
                c = torch.exp(top - new)
                total, mixed = c * total + p.sum(-1, True), c * mixed + p @ v[..., j : j + block_size, :]
            top = new
        rows.append(mixed / total)
    return torch.cat(rows, -2)


def linear_attention(queries, keys, values, state=None):
    front = queries.shape[:-2]
    q, k = (F.elu(x.reshape(-1, *x.shape[-2:])) + 1 for x in (queries, keys))
    v = values.reshape(-1, *values.shape[-2:])
    if state is None:
        S, z = (
            torch.zeros(len(q), k.shape[2], v.shape[2], dtype=q.dtype),
            torch.zeros(len(q), k.shape[2], dtype=q.dtype),
        )
    else:
        S, z = state[0].reshape(-1, k.shape[2], v.shape[2]), state[1].reshape(-1, k.shape[2])
    rows = []
    for i in range(q.shape[1]):
        S = torch.baddbmm(S, k[:, i, :, None], v[:, i, None, :])
        z = z + k[:, i]
        rows.append(torch.bmm(q[:, i, None], S) / torch.bmm(q[:, i, None], z[:, :, None]))
    return torch.cat(rows, 1).reshape(*front, -1, v.shape[2]), (S.reshape(*front, *S.shape[1:]), z.reshape(*front, -1))
