# expect: all passed
"""Portions kept in lists, heads one by one, blocks by slicing."""

import math

import torch
from torch import nn


class KeyValueCache:
    def __init__(self):
        self.keys = []
        self.values = []

    def append(self, k, v):
        self.keys.append(k)
        self.values.append(v)
        return [torch.cat(self.keys, dim=-2), torch.cat(self.values, dim=-2)]


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.h, self.kv = num_heads, num_kv_heads
        self.d_h = d_model // num_heads
        self.Wo = nn.Linear(d_model, d_model)
        self.Wv = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wk = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wq = nn.Linear(d_model, d_model)
        nn.init.xavier_uniform_(self.Wq.weight)

    def forward(self, queries, keys, values, mask=None):
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        if mask is not None:
            mask = mask.expand(*queries.shape[:-2], self.h, queries.shape[-2], keys.shape[-2])
        outputs, weights = [], []
        for i in range(self.h):
            j = i // (self.h // self.kv)
            mine = slice(i * self.d_h, (i + 1) * self.d_h)
            theirs = slice(j * self.d_h, (j + 1) * self.d_h)
            scores = q[..., mine] @ k[..., theirs].transpose(-1, -2) * self.d_h**-0.5
            if mask is not None:
                scores = torch.where(mask[..., i, :, :], scores, torch.tensor(-1e30, dtype=scores.dtype))
            weights.append(scores.softmax(-1))
            outputs.append(weights[-1] @ v[..., theirs])
        return self.Wo(torch.cat(outputs, -1)), torch.stack(weights, -3)


def sliding_window_mask(n, window):
    mask = torch.zeros((n, n), dtype=torch.bool)
    for i in range(n):
        mask[i, max(0, i - window + 1) : i + 1] = True
    return mask


def online_softmax_attention(q, k, v, block_size):
    n, scale = k.shape[-2], 1 / math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], -float("inf"), dtype=q.dtype)
    total = torch.zeros(q.shape[:-1], dtype=q.dtype)
    o = torch.zeros(q.shape[:-1] + v.shape[-1:], dtype=q.dtype)
    for start in range(0, n, block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = torch.matmul(q, kb.mT) * scale
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new.unsqueeze(-1))
        alpha = torch.exp(m - m_new)
        total = total * alpha + p.sum(-1)
        o = o * alpha.unsqueeze(-1) + torch.matmul(p, vb)
        m = m_new
    return o / total.unsqueeze(-1)
