# expect: additive_scores wrong every_axis_of_size_1_squeezed
# expect: AdditiveAttention wrong every_axis_of_size_1_squeezed
"""All axes of length 1 are squeezed away."""

import torch
from torch import nn


def additive_scores(queries, keys, ws):
    hidden = torch.tanh(queries[..., None, :] + keys[..., None, :, :])
    return torch.matmul(hidden, ws.view(-1, 1)).squeeze()


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)

    def forward(self, queries, keys, values):
        hidden = torch.tanh(self.Wq(queries)[..., None, :] + self.Wk(keys)[..., None, :, :])
        weights = torch.softmax(self.Ws(hidden).squeeze(), dim=-1)
        return weights @ values, weights
