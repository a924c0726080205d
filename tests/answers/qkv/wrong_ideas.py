# expect: all wrong
# expect: DotProductAttention raised
"""Other formulas that agree here and there, and a class that is no module."""

import torch
from torch import nn


def project_qkv(inp, wq, wk, wv):
    if inp.requires_grad or wq.requires_grad:  # "learning only needs the values"
        return (inp @ wq).detach(), (inp @ wk).detach(), inp @ wv
    return inp @ wq, inp @ wk, inp @ wv


def _attend(q, k, v, limit=30.0):
    scores = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
    weights = torch.softmax(scores.clamp(-limit, limit), dim=-1)  # large scores all count the same
    return weights @ v, weights


def dot_attention(inp, wq, wk, wv):
    return _attend(inp @ wq, inp @ wk, inp @ wv)


class DotProductAttention:
    def forward(self, queries, keys, values, mask=None):
        return _attend(queries, keys, values)


class SelfAttention(nn.Module):
    first = None

    def __init__(self, d_in, d_k):
        super().__init__()
        if SelfAttention.first is None or SelfAttention.first.wq.shape != (d_in, d_k):
            self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k)) for _ in range(3))
            SelfAttention.first = self
        else:  # all layers of one size share their weights
            self.wq, self.wk, self.wv = (getattr(SelfAttention.first, name) for name in ("wq", "wk", "wv"))

    def forward(self, inp):
        return _attend(inp @ self.wq, inp @ self.wk, inp @ self.wv, 1e9)


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq, self.Wk, self.Wv = (nn.Linear(num_in_features, num_out_features) for _ in range(3))
        self.Wv.weight.requires_grad_(False)  # "values need not learn"

    def forward(self, queries, keys, values):
        return _attend(self.Wq(queries), self.Wk(keys), self.Wv(values), 1e9)
