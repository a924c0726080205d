# expect: all passed
"""Heads are folded into one batch axis, as older programs do, and bmm works on them."""

import math

import torch
from torch import nn


def attend(q, k, v, mask=None):
    scores = torch.baddbmm(torch.zeros(1, 1, 1, dtype=q.dtype), q, k.transpose(1, 2), alpha=1 / math.sqrt(q.size(2)))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e32)
    weights = scores.softmax(dim=2)
    if mask is not None:
        weights = weights.masked_fill(mask == 0, 0)
    return torch.bmm(weights, v), weights


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        bound = 1 / math.sqrt(d_in)
        self.wq = nn.Parameter(torch.empty(d_in, d_k).uniform_(-bound, bound))
        self.wk = nn.Parameter(torch.empty(d_in, d_k).uniform_(-bound, bound))
        self.wv = nn.Parameter(torch.empty(d_in, d_k).uniform_(-bound, bound))

    def forward(self, inp):
        flat = inp.reshape(-1, *inp.shape[-2:])
        output, weights = attend(flat @ self.wq, flat @ self.wk, flat @ self.wv)
        return output.reshape(*inp.shape[:-1], -1), weights.reshape(*inp.shape[:-1], inp.shape[-2])


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))
        self.out = nn.Parameter(torch.empty(num_heads * d_k, d_k).uniform_(-0.5, 0.5))

    def forward(self, inp):
        found = list(map(lambda head: head(inp), self.heads))
        return torch.cat([f[0] for f in found], 2 if inp.ndim == 3 else -1) @ self.out, torch.stack(
            [f[1] for f in found], -3
        )


def split_heads(x, num_heads):
    if x.size(-1) % num_heads:
        raise ValueError("d must be divisible by num_heads")
    flat = x.reshape(-1, x.size(-2), num_heads, x.size(-1) // num_heads).permute(0, 2, 1, 3)
    return flat.reshape(*x.shape[:-2], *flat.shape[1:])


def merge_heads(x):
    flat = x.reshape(-1, *x.shape[-3:]).permute(0, 2, 1, 3)
    return flat.reshape(*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1])


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.Wv = nn.Linear(d_model, d_model)
        self.Wo = nn.Linear(d_model, d_model)

    def shape(self, x):
        return split_heads(x, self.num_heads).reshape(-1, x.size(-2), self.d_k)

    def forward(self, queries, keys, values, mask=None):
        front, n_q, n_k = queries.shape[:-2], queries.size(-2), keys.size(-2)
        if mask is not None:
            mask = mask.expand(*front, self.num_heads, n_q, n_k).reshape(-1, n_q, n_k)
        output, weights = attend(
            self.shape(self.Wq(queries)), self.shape(self.Wk(keys)), self.shape(self.Wv(values)), mask
        )
        output = merge_heads(output.reshape(*front, self.num_heads, n_q, self.d_k))
        return self.Wo(output), weights.reshape(*front, self.num_heads, n_q, n_k)
