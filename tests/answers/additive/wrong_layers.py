# expect: additive_scores raised
# expect: AdditiveAttention raised
"""Numbers that were copied from an example: one batch axis, no default widths, a layer more than there should be."""

import torch
from torch import nn


def additive_scores(queries, keys, ws):
    batch, n_q, d = queries.shape
    hidden = torch.tanh(queries.view(batch, n_q, 1, d) + keys.view(batch, 1, -1, d))
    return (hidden * ws).sum(dim=3)


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features, num_out_features):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)
        self.Wo = nn.LazyLinear(7)

    def forward(self, queries, keys, values):
        hidden = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))
        weights = torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)
        return self.Wo(weights @ values), weights
