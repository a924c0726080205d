# expect: KeyValueCache wrong first_part_stored_twice
# expect: GroupedQueryAttention wrong weights_averaged
# expect: sliding_window_mask wrong first_rows_begin_below_zero
# expect: online_softmax_attention wrong divided_after_every_block
# like: wrong_limits.py
"""Divided after every block; the average of all heads; negative places; and the words of the first call twice."""

import math

import torch


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
