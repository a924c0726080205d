# expect: all passed
"""Weights are exp(x - logsumexp(x)), and pairs are summed by hand."""

import torch
from torch import nn


def additive_scores(queries, keys, ws):
    sums = queries[..., :, None, :] + keys[..., None, :, :]
    return (torch.tanh(sums) * ws).sum(-1)


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)

    def forward(self, queries, keys, values):
        scores = self.Ws(torch.tanh(self.Wq(queries)[..., None, :] + self.Wk(keys)[..., None, :, :]))[..., 0]
        weights = torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))
        return weights @ values, weights
