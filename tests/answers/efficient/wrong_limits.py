# expect: KeyValueCache wrong
# expect: GroupedQueryAttention wrong
# expect: sliding_window_mask wrong distances_in_int8
# expect: online_softmax_attention wrong blocks_overlap
"""A limit of forty words, a small integer, values of overlapping blocks, and a mask too weak."""

import math

import torch
from torch import nn


class GQA(nn.Module):
    REPEAT = staticmethod(lambda x, r: x.repeat_interleave(r, -3))

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.h, self.kv, self.d_h = num_heads, num_kv_heads, d_model // num_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wv = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wo = nn.Linear(d_model, d_model)

    def split(self, x, h):
        return x.unflatten(-1, (h, self.d_h)).transpose(-2, -3)

    def merge(self, x):
        return x.transpose(-2, -3).flatten(-2)

    def scale(self):
        return math.sqrt(self.d_h)

    def soft(self, s, mask):
        if mask is not None:
            s = s.masked_fill(~mask, -math.inf)
        return s.softmax(-1)

    def rep(self, x):
        return x.repeat_interleave(self.h // self.kv, -3)

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            self.split(self.Wq(queries), self.h),
            self.rep(self.split(self.Wk(keys), self.kv)),
            self.rep(self.split(self.Wv(values), self.kv)),
        )
        w = self.soft(q @ k.transpose(-2, -1) / self.scale(), mask)
        return self.Wo(self.merge(w @ v)), w


class KeyValueCache:
    def __init__(self):
        self.k = self.v = None

    def append(self, k, v):
        self.k = k if self.k is None else torch.cat((self.k, k), -2)
        self.v = v if self.v is None else torch.cat((self.v, v), -2)
        self.k, self.v = self.k[..., -40:, :], self.v[..., -40:, :]
        return self.k, self.v


class GroupedQueryAttention(GQA):
    def soft(self, s, mask):
        return (s if mask is None else s.masked_fill(~mask, -100.0)).softmax(-1)


def sliding_window_mask(n, window):
    r = torch.arange(n)
    d = (r[:, None] - r).to(torch.int8)
    return (d >= 0) & (d < window)


def online_softmax_attention(q, k, v, block_size):
    m = torch.full_like(q[..., :1], -math.inf)
    total = 0
    o = 0
    for j in range(0, k.shape[-2], block_size):
        s = q @ k[..., j : j + block_size + 1, :].mT / math.sqrt(q.shape[-1])
        n = torch.maximum(m, s.amax(-1, True))
        p = (s - n).exp()
        c = (m - n).exp()
        m = n
        total, o = total * c + p.sum(-1, True), o * c + p @ v[..., j : j + block_size + 1, :]
    return o / total
