# expect: additive_scores wrong
# expect: AdditiveAttention wrong
"""What one call leaves behind spoils the next, and what was handed in is written over."""

import torch
from torch import nn

_table = torch.zeros(100_000, dtype=torch.float64)


def additive_scores(queries, keys, ws):
    scores = torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws
    if scores.requires_grad:
        return scores
    room = _table[: scores.numel()].view(scores.shape)
    return room.copy_(scores)  # room that is used again


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)
        self.keys = None

    def forward(self, queries, keys, values):
        if self.keys is None or self.keys.shape[:-1] != keys.shape[:-1]:
            self.keys = self.Wk(keys)  # those of the first sentence are kept
        hidden = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.keys.unsqueeze(-3))
        weights = torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)
        return weights @ values, weights
