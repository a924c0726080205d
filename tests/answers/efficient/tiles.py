# expect: all passed
"""Queries in blocks too, sums carried as one more column of the values, tensors filled in place."""

import math

import torch
from torch import nn


class KeyValueCache:
    def __init__(self, room=64):
        self.room, self.n, self.store = room, 0, None

    def append(self, k, v):
        both = torch.stack([k, v])
        if self.store is None:
            self.store = both[..., :0, :]
        before, self.n = self.n, self.n + k.shape[-2]
        while self.store.shape[-2] < self.n:
            more = torch.zeros(*both.shape[:-2], self.room, both.shape[-1], dtype=both.dtype)
            self.store = torch.cat([self.store, more], dim=-2)
        self.store[..., before : self.n, :] = both
        return tuple(self.store[..., : self.n, :].unbind())


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.d_h = num_heads, d_model // num_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wv = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wo = nn.Linear(d_model, d_model)
        index = torch.arange(num_heads) // (num_heads // num_kv_heads)
        self.register_buffer("owner", index, persistent=False)

    def forward(self, queries, keys, values, mask=None):
        batch, n_q, n_k = queries.shape[:-2], queries.shape[-2], keys.shape[-2]
        q = self.Wq(queries).reshape(-1, n_q, self.num_heads, self.d_h).permute(0, 2, 1, 3)
        k = self.Wk(keys).reshape(q.shape[0], n_k, -1, self.d_h).permute(0, 2, 3, 1)[:, self.owner]
        v = self.Wv(values).reshape(q.shape[0], n_k, -1, self.d_h).permute(0, 2, 1, 3)[:, self.owner]
        scores = torch.matmul(q, k).reshape(*batch, self.num_heads, n_q, n_k) / math.sqrt(self.d_h)
        if mask is not None:
            scores = torch.where(mask, scores, -torch.inf)
        weights = scores.softmax(dim=-1)
        mixed = torch.matmul(weights.reshape(-1, self.num_heads, n_q, n_k), v).permute(0, 2, 1, 3)
        return self.Wo(mixed.reshape(*batch, n_q, -1)), weights


def sliding_window_mask(n, window):
    mask = torch.zeros(n, n)
    for offset in range(min(window, n)):
        mask.diagonal(-offset).fill_(1)
    return mask > 0


def online_softmax_attention(q, k, v, block_size):
    rows = []
    for queries in q.split(block_size, dim=-2):
        maximum, mixed = None, None
        for keys, values in zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2), strict=True):
            scores = queries @ keys.transpose(-1, -2)
            scores = scores.div_(math.sqrt(q.shape[-1]))
            ones = torch.ones_like(values[..., :1])
            highest = scores.amax(dim=-1, keepdim=True)
            new = highest if maximum is None else torch.maximum(maximum, highest)
            part = (scores - new).exp() @ torch.cat([values, ones], dim=-1)
            mixed = part if mixed is None else mixed * (maximum - new).exp() + part
            maximum = new
        rows.append(mixed[..., :-1] / mixed[..., -1:])
    return torch.cat(rows, dim=-2)
