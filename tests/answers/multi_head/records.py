# expect: all passed
"""A frozen dataclass of sizes, named tuples of results, einsum over an own head axis."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Result(NamedTuple):
    output: Tensor
    weights: Tensor


@dataclass(frozen=True)
class Sizes:
    width: int
    heads: int

    def __post_init__(self):
        if divmod(self.width, self.heads)[1] != 0:
            raise ValueError(f"{self.width} is no multiple of {self.heads}")

    @property
    def per_head(self):
        return self.width // self.heads


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k) / d_in**0.5) for _ in range(3))

    def forward(self, inp):
        scores = torch.einsum("...id,de,...jf,fe->...ij", inp, self.wq, inp, self.wk) / self.wk.shape[1] ** 0.5
        weights = torch.softmax(scores, -1)
        return Result(torch.einsum("...ij,...jd,de->...ie", weights, inp, self.wv), weights)


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(Head(d_in, d_k))
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k) / (num_heads * d_k) ** 0.5)

    def forward(self, inp):
        results = [head(inp) for head in self.heads]
        rows = self.out.view(len(results), -1, self.out.shape[-1])
        output = sum(result.output @ part for result, part in zip(results, rows))
        return Result(output, torch.stack([result.weights for result in results], -3))


def split_heads(x, num_heads):
    sizes = Sizes(x.shape[-1], num_heads)
    return x.unflatten(-1, (num_heads, sizes.per_head)).movedim(-2, -3)


def merge_heads(x):
    return x.movedim(-3, -2).flatten(start_dim=-2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.sizes = Sizes(d_model, num_heads)
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            linear(x).unflatten(-1, (self.sizes.heads, self.sizes.per_head))
            for linear, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        )
        scores = torch.einsum("...ihd,...jhd->...hij", q, k) / self.sizes.per_head**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        return Result(self.Wo(torch.einsum("...hij,...jhd->...ihd", weights, v).flatten(-2)), weights)
