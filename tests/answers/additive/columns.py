# expect: all passed
"""One key at a time for all queries, functional layers, tanh from a sigmoid, products by bmm."""

import torch
import torch.nn.functional as F
from torch import nn


def bend(x):
    return 2 * torch.sigmoid(2 * x) - 1


def additive_scores(queries, keys, ws):
    columns = [bend(queries + key) @ ws[:, None] for key in keys.split(1, dim=-2)]
    return torch.cat(columns, dim=-1)


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features, bias=True)
        self.Wk = nn.Linear(num_in_features, num_out_features, bias=True)
        self.Ws = nn.Linear(num_out_features, 1, bias=True)

    def forward(self, queries, keys, values):
        hidden_queries = F.linear(queries, self.Wq.weight, self.Wq.bias)
        hidden_keys = F.linear(keys, self.Wk.weight, self.Wk.bias)
        scores = additive_scores(hidden_queries, hidden_keys, self.Ws.weight[0]) + self.Ws.bias
        attn_matrix = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
        *batch, n_q, n_k = attn_matrix.shape
        attn_output = torch.bmm(attn_matrix.reshape(-1, n_q, n_k), values.reshape(-1, *values.shape[-2:]))
        return attn_output.view(*batch, n_q, values.shape[-1]), attn_matrix
