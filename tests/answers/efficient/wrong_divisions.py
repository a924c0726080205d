# expect: KeyValueCache wrong
# expect: GroupedQueryAttention wrong weights_averaged
# expect: sliding_window_mask wrong first_rows_begin_below_zero
# expect: online_softmax_attention wrong divided_after_every_block
"""Divided after every block; the average of all heads; negative places; and the words of the first call twice."""

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
        if self.k is None:
            self.k, self.v = k, v
        self.k = torch.cat((self.k, k), -2)
        self.v = torch.cat((self.v, v), -2)
        return self.k, self.v


class GroupedQueryAttention(GQA):
    def forward(self, *a):
        o, w = super().forward(*a)
        return o, w.mean(-3)


def sliding_window_mask(n, window):
    m = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        m[i, i + 1 - window : i + 1] = True
    return m


def online_softmax_attention(q, k, v, block_size):
    m = torch.full_like(q[..., :1], -math.inf)
    total = 0
    o = 0
    for j in range(0, k.shape[-2], block_size):
        s = q @ k[..., j : j + block_size, :].mT / math.sqrt(q.shape[-1])
        n = torch.maximum(m, s.amax(-1, True))
        p = (s - n).exp()
        c = (m - n).exp()
        m = n
        total = total * c + p.sum(-1, True)
        o = (o * c + p @ v[..., j : j + block_size, :]) / total
    return o
