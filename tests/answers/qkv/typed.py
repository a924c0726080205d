# expect: all passed
"""Type hints, named results, dropout in training, a buffer more, prints and warnings."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Projections(NamedTuple):
    queries: Tensor
    keys: Tensor
    values: Tensor


class Attention(NamedTuple):
    output: Tensor
    weights: Tensor


def project_qkv(tokens: Tensor, to_queries: Tensor, to_keys: Tensor, to_values: Tensor) -> Projections:
    print("projecting", tuple(tokens.shape))
    return Projections(tokens @ to_queries, tokens @ to_keys, tokens @ to_values)


def dot_attention(tokens: Tensor, to_queries: Tensor, to_keys: Tensor, to_values: Tensor) -> Attention:
    warnings.warn("no mask here", stacklevel=2)
    return DotProductAttention(dropout=0.0)(*project_qkv(tokens, to_queries, to_keys, to_values))


class DotProductAttention(nn.Module):
    def __init__(self, dropout: float = 0.1) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None) -> Attention:
        self.calls += 1
        width = keys.size(dim=-1)
        scores = torch.matmul(queries / width**0.25, (keys / width**0.25).transpose(-1, -2))
        if mask is None:
            weights = F.softmax(scores, dim=-1)
        else:
            hidden = torch.logical_not(mask)
            weights = F.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)
            weights = weights.masked_fill(hidden, 0)
        return Attention(torch.matmul(self.dropout(weights), values), weights)


class SelfAttention(nn.Module):
    wq: nn.Parameter
    wk: nn.Parameter
    wv: nn.Parameter

    def __init__(self, d_in: int, d_k: int) -> None:
        super().__init__()
        self.wq = nn.Parameter(torch.randn(d_in, d_k, dtype=torch.float32), requires_grad=True)
        self.wk = nn.Parameter(torch.randn(d_in, d_k, dtype=torch.float32), requires_grad=True)
        self.wv = nn.Parameter(torch.randn(d_in, d_k, dtype=torch.float32), requires_grad=True)
        self.attention = DotProductAttention()

    def forward(self, tokens: Tensor) -> Attention:
        return self.attention(*project_qkv(tokens, self.wq, self.wk, self.wv))


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features: int = 300, num_out_features: int = 256, *, dropout: float = 0.1) -> None:
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features, bias=True)
        self.Wk = nn.Linear(num_in_features, num_out_features, bias=True)
        self.Wv = nn.Linear(num_in_features, num_out_features, bias=True)
        self.attention = DotProductAttention(dropout)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor) -> Attention:
        return self.attention(queries=self.Wq(queries), keys=self.Wk(keys), values=self.Wv(values))
