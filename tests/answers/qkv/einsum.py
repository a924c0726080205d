# expect: all passed
"""Einstein sums, minus infinity for what is hidden, weights that start as Glorot and Bengio had them."""

import torch
from torch import nn


def project_qkv(inp, wq, wk, wv):
    return tuple(torch.einsum("...ni,ik->...nk", inp, w) for w in (wq, wk, wv))


def _mix(q, k, v, seen=None):
    scores = torch.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
    if seen is not None:
        scores = torch.where(seen, scores, torch.tensor(float("-inf")))
    weights = torch.nan_to_num(scores.softmax(-1))
    return torch.einsum("...qk,...kd->...qd", weights, v), weights


def dot_attention(inp, wq, wk, wv):
    return _mix(*project_qkv(inp, wq, wk, wv))


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        return _mix(queries, keys, values, mask)


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wv, self.wk, self.wq = (nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_in, d_k))) for _ in range(3))

    def forward(self, inp):
        q, k, v = (torch.einsum("...ni,ik->...nk", inp, w) for w in (self.wq, self.wk, self.wv))
        return _mix(q, k, v)


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wv = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Wq = nn.Linear(num_in_features, num_out_features)
        for layer in (self.Wv, self.Wk, self.Wq):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, queries, keys, values):
        return _mix(self.Wq(queries), self.Wk(keys), self.Wv(values))
