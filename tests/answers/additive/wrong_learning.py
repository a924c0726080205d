# expect: additive_scores wrong cut_from_the_graph
# expect: AdditiveAttention wrong cut_from_the_graph
"""Right numbers that remember nothing."""

import torch
from torch import nn


def additive_scores(queries, keys, ws):
    bent = torch.tanh(queries.data.unsqueeze(-2) + keys.data.unsqueeze(-3))
    return bent @ ws.data


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)

    @torch.no_grad()
    def forward(self, queries, keys, values):
        hidden = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))
        weights = torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)
        return weights @ values, weights
