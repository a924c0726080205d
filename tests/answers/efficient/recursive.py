# expect: all passed
"""Recursion: halves of the keys, halves of the text, rows from the row above."""

import math

import torch
from torch import nn
from torch.nn import functional as F


class KeyValueCache:
    def __init__(self, before=None):
        self.before = before
        self.k = self.v = None

    def append(self, k, v):
        if self.k is not None:
            k, v = torch.cat([self.k, k], dim=k.dim() - 2), torch.cat([self.v, v], dim=v.dim() - 2)
        self.k, self.v = k, v
        return [k, v]


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model // num_heads * num_kv_heads)
        self.Wv = nn.Linear(d_model, d_model // num_heads * num_kv_heads)
        self.Wo = nn.Linear(d_model, d_model)

    def forward(self, queries, keys, values, mask=None):
        q = torch.stack(self.Wq(queries).tensor_split(self.num_heads, -1), -3)
        k = torch.stack(self.Wk(keys).tensor_split(self.num_kv_heads, -1), -3)
        v = torch.stack(self.Wv(values).tensor_split(self.num_kv_heads, -1), -3)
        times = self.num_heads // self.num_kv_heads
        k, v = (torch.cat([x[..., i // times, None, :, :] for i in range(self.num_heads)], -3) for x in (k, v))
        scores = torch.einsum("...id,...jd->...ij", q / math.sqrt(q.shape[-1]), k)
        if mask is not None:
            scores = scores.where(mask, torch.tensor(-torch.inf, dtype=scores.dtype))
        weights = scores.softmax(-1)
        return self.Wo(torch.cat((weights @ v).unbind(-3), -1)), weights


def sliding_window_mask(n, window):
    if n == 1:
        return torch.tensor([[True]])
    before = F.pad(sliding_window_mask(n - 1, window), (0, 1, 0, 1))
    before[-1, max(0, n - window) :] = True
    return before


def online_softmax_attention(q, k, v, block_size):
    def go(k, v):
        n = k.shape[-2]
        if n <= block_size:
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
            top = scores.max(dim=-1, keepdim=True).values
            powers = torch.exp(scores - top)
            return top, powers.sum(-1, keepdim=True), powers @ v
        half = n // 2
        (t1, s1, o1), (t2, s2, o2) = go(k[..., :half, :], v[..., :half, :]), go(k[..., half:, :], v[..., half:, :])
        top = torch.maximum(t1, t2)
        a, b = torch.exp(t1 - top), torch.exp(t2 - top)
        return top, a * s1 + b * s2, a * o1 + b * o2

    _, total, output = go(k, v)
    return output / total


def linear_attention(queries, keys, values, state=None):
    n = queries.shape[-2]
    if n > 4:
        half = n // 2
        first, state = linear_attention(queries[..., :half, :], keys[..., :half, :], values[..., :half, :], state)
        second, state = linear_attention(queries[..., half:, :], keys[..., half:, :], values[..., half:, :], state)
        return torch.cat([first, second], dim=-2), state
    q, k = F.elu(queries) + 1, F.elu(keys) + 1
    table = torch.tril(q @ k.transpose(-2, -1))
    above, below = table @ values, table.sum(-1, keepdim=True)
    S, z = k.transpose(-2, -1) @ values, k.sum(-2)
    if state is not None:
        above, below = above + q @ state[0], below + q @ state[1][..., None]
        S, z = S + state[0], z + state[1]
    return above / below, (S, z)
