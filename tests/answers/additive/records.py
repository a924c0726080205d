# expect: all passed
"""A dataclass of a pair, with operators, and layers made from a dictionary."""

import operator
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class Pairs:
    queries: Tensor
    keys: Tensor

    def __post_init__(self):
        n_q, n_k = self.queries.shape[-2], self.keys.shape[-2]
        self.left = self.queries.repeat_interleave(n_k, dim=-2)
        self.right = self.keys.repeat(*[1] * (self.keys.ndim - 2), n_q, 1)
        self.shape = (*self.queries.shape[:-1], n_k)

    def hidden(self):
        return torch.tanh(operator.add(self.left, self.right))

    def table(self, numbers):
        return numbers.reshape(self.shape)


def additive_scores(queries, keys, ws):
    pairs = Pairs(queries, keys)
    return pairs.table(pairs.hidden() @ ws)


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        widths = {"Wq": (num_in_features, num_out_features), "Wk": (num_in_features, num_out_features)}
        for name, width in (widths | {"Ws": (num_out_features, 1)}).items():
            setattr(self, name, nn.Linear(*width))

    def forward(self, queries, keys, values):
        pairs = Pairs(self.Wq(queries), self.Wk(keys))
        weights = torch.softmax(pairs.table(self.Ws(pairs.hidden())), -1)
        return weights @ values, weights
