# expect: all passed
"""Annotated, with named results, a class above, dropout that works in training only and buffers of its own."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn


class Attended(NamedTuple):
    attn_output: Tensor
    attn_matrix: Tensor


def all_pairs(queries: Tensor, keys: Tensor) -> Tensor:
    n_q, n_k = queries.size(-2), keys.size(-2)
    long_queries = queries.repeat_interleave(n_k, dim=-2)
    long_keys = torch.cat([keys] * n_q, dim=-2)
    return (long_queries + long_keys).unflatten(-2, (n_q, n_k))


def additive_scores(queries: Tensor, keys: Tensor, ws: Tensor, *, bend=torch.tanh) -> Tensor:
    return torch.matmul(bend(all_pairs(queries, keys)), ws)


class Attention(nn.Module):
    """Softmax and the mix; whoever derives from it gives the score."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("calls", torch.zeros(()))

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        raise NotImplementedError

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor) -> Attended:
        self.calls += 1
        attn_matrix = self.score(queries, keys).softmax(dim=-1)
        return Attended(self.dropout(attn_matrix).matmul(values), attn_matrix)


class AdditiveAttention(Attention):
    def __init__(self, num_in_features: int = 300, num_out_features: int = 256, dropout: float = 0.5) -> None:
        super().__init__(dropout)
        self.Wk, self.Wq = (nn.Linear(num_in_features, num_out_features) for _ in range(2))
        self.Ws = nn.Linear(in_features=num_out_features, out_features=1)

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return self.Ws(torch.tanh(all_pairs(self.Wq(queries), self.Wk(keys)))).squeeze(dim=-1)
