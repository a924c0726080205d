# expect: all passed
"""Accumulators that are changed in place, and queries cut by key head."""

import math

import torch
from torch import nn


class KeyValueCache:
    def __init__(self):
        self._k, self._v = [], []

    def append(self, k, v):
        self._k = [torch.cat([*self._k, k], dim=-2)]
        self._v = [torch.cat([*self._v, v], dim=-2)]
        return self._k[0], self._v[0]


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        assert num_heads % num_kv_heads == 0
        self.h, self.g = num_heads, num_kv_heads
        self.d = d_model // num_heads
        self.Wq = nn.Linear(d_model, num_heads * self.d)
        self.Wk = nn.Linear(d_model, num_kv_heads * self.d)
        self.Wv = nn.Linear(d_model, num_kv_heads * self.d)
        self.Wo = nn.Linear(num_heads * self.d, d_model)

    def forward(self, queries, keys, values, mask=None):
        *B, nq, _ = queries.shape
        nk = keys.shape[-2]
        q = self.Wq(queries).reshape(*B, nq, self.g, self.h // self.g, self.d)
        k = self.Wk(keys).reshape(*B, nk, self.g, self.d)
        v = self.Wv(values).reshape(*B, nk, self.g, self.d)
        s = torch.einsum("...qgrd,...kgd->...grqk", q, k).reshape(*B, self.h, nq, nk) / math.sqrt(self.d)
        if mask is not None:
            s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
        a = torch.softmax(s, dim=-1)
        o = torch.einsum("...grqk,...kgd->...qgrd", a.reshape(*B, self.g, self.h // self.g, nq, nk), v)
        return self.Wo(o.reshape(*B, nq, -1)), a


def sliding_window_mask(n, window):
    i, j = torch.arange(n)[:, None], torch.arange(n)[None]
    return (j <= i) & (i - j <= window - 1)


def online_softmax_attention(q, k, v, block_size):
    m = torch.full((*q.shape[:-1], 1), float("-inf"), dtype=q.dtype, device=q.device)
    total = torch.zeros_like(m)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for j in range(0, k.shape[-2], block_size):
        s = q @ k[..., j : j + block_size, :].transpose(-2, -1)
        s /= math.sqrt(q.shape[-1])
        mn = torch.maximum(m, s.max(-1, keepdim=True).values)
        p = torch.exp(s - mn)
        c = torch.exp(m - mn)
        total *= c
        total += p.sum(-1, keepdim=True)
        o *= c
        o += p @ v[..., j : j + block_size, :]
        m = mn
    o /= total
    return o
