# expect: all passed
"""Dataclasses: a row of the table of names, a ranking."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            w(x).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)
            for w, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        )
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = scores.softmax(-1)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, x, is_word):
        found, weights = self.attention(x, x, x, is_word[..., None, None, :])
        return self.norm(x + found), weights


@dataclass(frozen=True)
class Name:
    theirs: str
    mine: str

    def pairs(self, layer):
        for end in ("weight", "bias"):
            yield f"encoder.layer.{layer}.attention.{self.theirs}.{end}", f"{self.mine}.{end}"


TABLE = [
    Name("self.query", "attention.Wq"),
    Name("self.key", "attention.Wk"),
    Name("self.value", "attention.Wv"),
    Name("output.dense", "attention.Wo"),
    Name("output.LayerNorm", "norm"),
]


def block_state(checkpoint, layer):
    return {mine: checkpoint[theirs] for name in TABLE for theirs, mine in name.pairs(layer)}


class Ranking(NamedTuple):
    order: Tensor
    similarities: Tensor


def rank_by_similarity(query, sentences):
    cosines = sentences @ query / (sentences.norm(dim=-1) * query.norm())
    order = torch.argsort(cosines, descending=True)
    return Ranking(order, cosines[order])
