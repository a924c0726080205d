# expect: all passed
"""A decorator guards the width; loops over heads and a decorator for batches."""

import functools
import math

import torch
import torch.nn.functional as F
from torch import nn


def divisible(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        *_, width, heads = args
        width = width.shape[-1] if isinstance(width, torch.Tensor) else width
        if width % heads:
            raise ValueError("the heads would not be of one width")
        return function(*args, **kwargs)

    return inner


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        for letter in "qkv":
            self.register_parameter("w" + letter, nn.Parameter(torch.empty(d_in, d_k).normal_()))

    def forward(self, inp):
        weights = F.softmax((inp @ self.wq) @ (inp @ self.wk).mT / math.sqrt(self.wk.shape[-1]), dim=-1)
        return weights @ (inp @ self.wv), weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.out = nn.Parameter(torch.empty(num_heads * d_k, d_k).normal_())
        self.heads = nn.ModuleList([Head(d_in, d_k) for _ in range(num_heads)])

    def forward(self, inp):
        outputs, weights = zip(*(head(inp) for head in self.heads))
        return torch.concatenate(outputs, dim=-1) @ self.out, torch.stack(weights, dim=inp.ndim - 2)


@divisible
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=-3)


def merge_heads(x):
    return torch.cat(x.unbind(dim=-3), dim=-1)


class MultiHeadAttention(nn.Module):
    @divisible
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.Wo = nn.Linear(d_model, d_model)
        self.Wv = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.Wq = nn.Linear(d_model, d_model)

    def one(self, q, k, v, mask):
        scores = q @ k.mT / math.sqrt(k.shape[-1])
        if mask is not None:
            scores = torch.where(mask, scores, -1e30)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask
        return weights @ v, weights

    def forward(self, queries, keys, values, mask=None):
        parts = [
            F.linear(x, w.weight, w.bias).chunk(self.h, -1)
            for x, w in ((queries, self.Wq), (keys, self.Wk), (values, self.Wv))
        ]
        shape = (*queries.shape[:-2], self.h, queries.shape[-2], keys.shape[-2])
        masks = [None] * self.h if mask is None else mask.expand(shape).unbind(-3)
        done = [self.one(*each) for each in zip(*parts, masks)]
        return self.Wo(torch.cat([o for o, _ in done], -1)), torch.stack([w for _, w in done], -3)
