# expect: all passed
"""Weights are exp(scores - logsumexp(scores)); masks are added as logarithms; the scale is split over both sides."""

import torch
from torch import nn


def project_qkv(inp, wq, wk, wv):
    return torch.tensordot(inp, wq, 1), torch.tensordot(inp, wk, 1), torch.tensordot(inp, wv, 1)


def weights_of(q, k, seen=None):
    root = k.shape[-1] ** 0.25
    scores = (q / root) @ (k / root).transpose(-2, -1)
    if seen is None:
        return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    scores = scores.masked_fill(seen == False, -torch.inf)  # noqa: E712
    total = torch.logsumexp(scores, dim=-1, keepdim=True)
    dark = torch.isneginf(total)
    return torch.exp(scores - total.masked_fill(dark, 0.0))


def dot_attention(inp, wq, wk, wv):
    q, k, v = project_qkv(inp, wq, wk, wv)
    weights = weights_of(q, k)
    return weights @ v, weights.detach()


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        weights = weights_of(queries, keys, mask)
        return weights @ values, weights.clone().detach()


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq = nn.Parameter(torch.zeros(d_in, d_k))
        self.wk = nn.Parameter(torch.ones(d_in, d_k))
        self.wv = nn.Parameter(torch.eye(d_in, d_k))
        self.reset_parameters()

    def reset_parameters(self):
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=parameter.shape[0] ** -0.5)

    def forward(self, inp):
        return dot_attention(inp, self.wq, self.wk, self.wv)


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Wv = nn.Linear(num_in_features, num_out_features)
        nn.init.zeros_(self.Wv.bias)

    def forward(self, queries, keys, values):
        weights = weights_of(self.Wq(queries), self.Wk(keys))
        return weights @ self.Wv(values), weights
