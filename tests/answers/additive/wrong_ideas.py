# expect: all wrong
"""Other bends, and weights that only the best keys get."""

import torch
from torch import nn


def additive_scores(queries, keys, ws):
    sums = queries.unsqueeze(-2) + keys.unsqueeze(-3)
    return (sums / (1 + sums.abs())) @ ws  # flat and straight where tanh is


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)

    def forward(self, queries, keys, values):
        scores = self.Ws(torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))).squeeze(-1)
        best = scores.topk(min(3, scores.shape[-1]), dim=-1).values[..., -1:]
        weights = torch.softmax(scores.masked_fill(scores < best, -torch.inf), dim=-1)
        return weights @ values, weights
