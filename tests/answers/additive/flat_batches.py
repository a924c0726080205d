# expect: all passed
"""All batch axes are flattened, and bmm, view and expand do the rest."""

import torch
from torch import nn


def additive_scores(queries, keys, ws):
    *front, n_q, d = queries.shape
    n_k = keys.shape[-2]
    q = queries.reshape(-1, n_q, 1, d).expand(-1, n_q, n_k, d)
    k = keys.reshape(-1, 1, n_k, d).expand(-1, n_q, n_k, d)
    hidden = torch.add(q, k).tanh_()
    return torch.mv(hidden.reshape(-1, d), ws).reshape(*front, n_q, n_k)


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)
        self.dropout = nn.Dropout(0.1)

    def forward(self, queries, keys, values):
        scores = additive_scores(self.Wq(queries), self.Wk(keys), self.Ws.weight.view(-1))
        weights = torch.softmax(scores, dim=-1)
        flat = self.dropout(weights).reshape(-1, *weights.shape[-2:])
        output = torch.bmm(flat, values.reshape(-1, *values.shape[-2:]))
        return output.reshape(*weights.shape[:-1], values.shape[-1]), weights
