# expect: all passed
"""Keys come one by one from a generator; the softmax of each query is written out."""

import torch
from torch import nn


def columns(queries, keys, score):
    for key in keys.unbind(dim=-2):
        yield score(torch.tanh(queries + key.unsqueeze(-2)))


def additive_scores(queries, keys, ws):
    return torch.stack([*columns(queries, keys, lambda hidden: (hidden * ws).sum(dim=-1))], dim=-1)


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)

    def forward(self, queries, keys, values):
        score = columns(self.Wq(queries), self.Wk(keys), self.Ws)
        scores = torch.cat(list(score), dim=-1)
        powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True).detach())
        weights = powers / powers.sum(dim=-1, keepdim=True)
        mixed = sum(weights[..., j : j + 1] * values[..., j : j + 1, :] for j in range(values.shape[-2]))
        return mixed, weights
