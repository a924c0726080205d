# expect: all passed
"""A cache that grows by doubling; an accumulator in place under no graph; chunks of sixteen tokens."""

import math

import torch
from torch import nn
from torch.nn import functional


class KeyValueCache:
    def __init__(self):
        self.count = 0
        self.chunks = []

    def append(self, k, v):
        self.chunks.append((k, v))
        self.count += k.shape[-2]
        # Merge like a binary counter, so that each number is copied few times.
        while len(self.chunks) > 1 and self.chunks[-1][0].shape[-2] >= self.chunks[-2][0].shape[-2]:
            (k2, v2), (k1, v1) = self.chunks.pop(), self.chunks.pop()
            self.chunks.append((torch.cat([k1, k2], -2), torch.cat([v1, v2], -2)))
        ks, vs = zip(*self.chunks)
        return torch.cat(ks, dim=-2), torch.cat(vs, dim=-2)


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        assert d_model % num_heads == 0 and num_heads % num_kv_heads == 0
        self.num_heads, self.num_kv_heads, self.d_h = num_heads, num_kv_heads, d_model // num_heads
        self.Wv = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wk = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wq = nn.Linear(d_model, d_model)
        self.Wo = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(0.2)

    def wide(self, x):
        x = x.view(*x.shape[:-1], self.num_kv_heads, 1, self.d_h)
        x = x.expand(*x.shape[:-2], self.num_heads // self.num_kv_heads, self.d_h)
        return x.flatten(-3, -2).transpose(-3, -2)

    def forward(self, queries, keys, values, mask=None):
        q = self.Wq(queries).view(*queries.shape[:-1], self.num_heads, self.d_h).transpose(-3, -2)
        k, v = self.wide(self.Wk(keys)), self.wide(self.Wv(values))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_h)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9 * max(1, scores.detach().abs().max().item()))
        weights = scores.softmax(-1)
        found = (self.dropout(weights) @ v).transpose(-3, -2).contiguous()
        return self.Wo(found.view(*found.shape[:-2], -1)), weights


def sliding_window_mask(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, max(0, i + 1 - window) : i + 1] = True
    return mask


def online_softmax_attention(q, k, v, block_size):
    scale = math.sqrt(q.shape[-1])
    m = torch.full_like(q[..., :1], float("-inf"))
    l = torch.zeros_like(q[..., :1])  # noqa: E741
    o = torch.zeros_like(q[..., :1]) * v[..., :1, :]
    n = k.size(-2)
    for b in range(-(-n // block_size)):
        lo, hi = b * block_size, min(n, (b + 1) * block_size)
        s = q.matmul(k[..., lo:hi, :].transpose(-1, -2)) / scale
        m_new = torch.max(m, s.max(dim=-1, keepdim=True)[0])
        p, c = (s - m_new).exp(), (m - m_new).exp()
        l = l * c + p.sum(dim=-1, keepdim=True)  # noqa: E741
        o = o * c + p.matmul(v[..., lo:hi, :])
        m = m_new
    return o / l


def linear_attention(queries, keys, values, state=None):
    q, k = functional.elu(queries).add(1), functional.elu(keys).add(1)
    size, n = 16, queries.shape[-2]
    S = k.new_zeros(*k.shape[:-2], k.shape[-1], values.shape[-1]) if state is None else state[0]
    z = k.new_zeros(*k.shape[:-2], k.shape[-1]) if state is None else state[1]
    parts = []
    for lo in range(0, n, size):
        Q, K, V = q[..., lo : lo + size, :], k[..., lo : lo + size, :], values[..., lo : lo + size, :]
        inside = torch.tril(Q @ K.transpose(-1, -2))
        above = Q @ S + inside @ V
        below = (Q * (z.unsqueeze(-2) + K.cumsum(dim=-2))).sum(dim=-1, keepdim=True)
        parts.append(above / below)
        S = S + K.transpose(-1, -2) @ V
        z = z + K.sum(dim=-2)
    return torch.cat(parts, dim=-2), (S, z)
