# expect: all passed
"""Annotated, with named results, subclasses, a mask that is kept as a buffer, and dropout, which is off when graded."""

from __future__ import annotations

import math
import warnings
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Attended(NamedTuple):
    output: Tensor
    weights: Tensor


def split_heads(x: Tensor, /, num_heads: int = 1) -> Tensor:
    if x.size(-1) % num_heads:
        raise ValueError(f"expected a multiple of {num_heads}, got {x.size(-1)}")
    return torch.stack(torch.chunk(x, num_heads, dim=-1), dim=-3)


def merge_heads(x: Tensor) -> Tensor:
    return torch.cat(x.unbind(-3), dim=-1)


class Attention(nn.Module):
    """What all attentions of this file have in common."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Attended:
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(q.size(-1))
        if mask is None:
            weights = scores.softmax(dim=-1)
        else:
            nothing = ~mask.any(dim=-1, keepdim=True)
            weights = scores.masked_fill(~(mask | nothing), float("-inf")).softmax(dim=-1).masked_fill(nothing, 0)
        weights = self.dropout(weights)
        return Attended(torch.matmul(weights, v), weights)


class SelfAttention(Attention):
    def __init__(self, d_in: int, d_k: int, dropout: float = 0.1) -> None:
        super().__init__(dropout)
        bound = 1 / math.sqrt(d_in)
        self.wq = nn.Parameter(torch.empty(d_in, d_k).uniform_(-bound, bound))
        self.wk = nn.Parameter(torch.empty(d_in, d_k).uniform_(-bound, bound))
        self.wv = nn.Parameter(torch.empty(d_in, d_k).uniform_(-bound, bound))

    def forward(self, inp: Tensor) -> Attended:
        return self.attend(inp @ self.wq, inp @ self.wk, inp @ self.wv)


class ConcatMultiHeadAttention(nn.Module):
    heads: nn.ModuleList
    out: nn.Parameter

    def __init__(self, d_in: int, d_k: int, num_heads: int) -> None:
        super().__init__()
        self.heads = nn.ModuleList(SelfAttention(d_in, d_k) for _ in range(num_heads))
        self.out = nn.Parameter(torch.nn.init.kaiming_uniform_(torch.empty(num_heads * d_k, d_k)))

    def forward(self, inp: Tensor) -> Attended:
        attended = [head(inp) for head in self.heads]
        side_by_side = torch.cat([each.output for each in attended], dim=-1)
        return Attended(side_by_side @ self.out, torch.stack([each.weights for each in attended], dim=-3))


class MultiHeadAttention(Attention):
    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.2) -> None:
        super().__init__(dropout)
        if d_model % num_heads:
            raise ValueError("d_model has to be a multiple of num_heads")
        self.num_heads = num_heads
        self.Wo = nn.Linear(d_model, d_model)
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.Wv = nn.Linear(d_model, d_model)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None) -> Attended:
        warnings.warn("this is slower than torch's own", stacklevel=2)
        print("attending", tuple(queries.shape), tuple(keys.shape))
        pairs = ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        heads = (split_heads(layer(x), self.num_heads) for layer, x in pairs)
        output, weights = self.attend(*heads, mask=mask)
        return Attended(self.Wo(merge_heads(output)), weights)
