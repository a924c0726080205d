# expect: AdditiveAttention wrong softmax_over_the_queries
"""Layers without a bias, which is right, and softmax over the queries, which is not."""

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features, bias=False)
        self.Wk = nn.Linear(num_in_features, num_out_features, bias=False)
        self.Ws = nn.Linear(num_out_features, 1, bias=False)

    def forward(self, queries, keys, values):
        features = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))
        weights = self.Ws(features).squeeze(-1).softmax(dim=-2)
        return weights @ values, weights
