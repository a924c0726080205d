# expect: all passed
"""A decorator makes a function of two rows one of two tables."""

import functools

import torch
import torch.nn as nn


def for_every_pair(function):
    @functools.wraps(function)
    def table(queries, keys, *rest):
        lines = []
        for i in range(queries.shape[-2]):
            line = [function(queries[..., i, :], keys[..., j, :], *rest) for j in range(keys.shape[-2])]
            lines.append(torch.stack(line, dim=-1))
        return torch.stack(lines, dim=-2)

    return table


@for_every_pair
def additive_scores(query, key, ws):
    return torch.tanh(query + key) @ ws


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)

    def forward(self, queries, keys, values):
        @for_every_pair
        def score(query, key):
            return self.Ws(torch.tanh(query + key)).squeeze(dim=-1)

        weights = score(self.Wq(queries), self.Wk(keys)).softmax(dim=-1)
        return weights @ values, weights
