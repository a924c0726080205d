# expect: additive_scores raised query_i_with_key_i
# expect: AdditiveAttention raised query_i_with_key_i
"""As in the notebook that the chapter grew from: query i meets key i."""

import torch
from torch import nn


def additive_scores(queries, keys, ws):
    return torch.tanh(queries + keys).matmul(ws)


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)

    def forward(self, queries, keys, values):
        scores = self.Ws(torch.tanh(self.Wq(queries) + self.Wk(keys))).transpose(-2, -1)
        weights = nn.functional.softmax(scores, dim=-1)
        return torch.matmul(weights, values), weights
