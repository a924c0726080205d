# expect: all passed
"""Ported from a program that has only a sigmoid: tanh(x) is 2 sigmoid(2x) - 1; 1/(1+e^-2x)."""

import torch
from torch import nn


def additive_scores(queries, keys, ws):
    sums = queries.unsqueeze(-2) + keys.unsqueeze(-3)
    return torch.matmul(2 * torch.sigmoid(2 * sums) - 1, ws)


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)

    def forward(self, queries, keys, values):
        scores = additive_scores(self.Wq(queries), self.Wk(keys), self.Ws.weight[0]) + self.Ws.bias
        weights = nn.Softmax(dim=-1)(scores)
        return torch.einsum("...ij,...jv->...iv", weights, values), weights
