# expect: all passed
"""Type hints, renamed parameters, named tuples, and small helpers; prints and a warning are left over."""

import math
import re
import warnings
from collections import OrderedDict
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Attended(NamedTuple):
    output: Tensor
    weights: Tensor


class Ranking(NamedTuple):
    order: Tensor
    similarities: Tensor


def heads_apart(x: Tensor, heads: int) -> Tensor:
    return torch.stack(x.chunk(heads, dim=-1), dim=-3)


def heads_together(x: Tensor) -> Tensor:
    return torch.cat(x.unbind(dim=-3), dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.Wq = nn.Linear(width, width)
        self.Wk = nn.Linear(width, width)
        self.Wv = nn.Linear(width, width)
        self.Wo = nn.Linear(width, width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, allowed: Tensor) -> Attended:
        q, k, v = (heads_apart(each, self.heads) for each in (self.Wq(queries), self.Wk(keys), self.Wv(values)))
        bias = torch.zeros(allowed.shape, dtype=q.dtype).masked_fill(allowed.logical_not(), torch.finfo(q.dtype).min)
        weights = (torch.matmul(q / math.sqrt(q.shape[-1]), k.mT) + bias).softmax(dim=-1)
        return Attended(self.Wo(heads_together(torch.matmul(self.dropout(weights), v))), weights)


class SelfAttentionBlock(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention, self.norm = MultiHeadAttention(width, heads), nn.LayerNorm([width], eps=1e-12)

    def forward(self, tokens: Tensor, words: Tensor) -> Attended:
        print("tokens", tuple(tokens.shape))
        warnings.warn("left over", stacklevel=1)
        allowed = words.reshape(*words.shape[:-1], 1, 1, words.shape[-1])
        found, weights = self.attention(tokens, tokens, tokens, allowed)
        return Attended(self.norm(torch.add(tokens, found)), weights)


NAMES = {"query": "attention.Wq", "key": "attention.Wk", "value": "attention.Wv"}
NAMES |= {"dense": "attention.Wo", "LayerNorm": "norm"}


def block_state(weights: dict[str, Tensor], number: int) -> "OrderedDict[str, Tensor]":
    found = OrderedDict()
    for name, weight in weights.items():
        match = re.fullmatch(rf"encoder\.layer\.{number}\.attention\.(?:self|output)\.(\w+)\.(weight|bias)", name)
        if match:
            found[f"{NAMES[match[1]]}.{match[2]}"] = weight
    return found


def rank_by_similarity(wanted: Tensor, vectors: Tensor) -> Ranking:
    cosines = torch.cosine_similarity(vectors, wanted.unsqueeze(0), dim=-1)
    order = torch.argsort(-cosines)
    print(order)
    return Ranking(order, cosines.gather(0, order))
