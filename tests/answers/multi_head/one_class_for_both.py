# expect: all passed
"""Inheritance and helper modules: a Scorer without parameters, tensor_split, and stacked slices."""

import torch
from torch import nn


class Scorer(nn.Module):
    def forward(self, q, k, mask=None):
        scores = torch.sum(q.unsqueeze(-2) * k.unsqueeze(-3), dim=-1).divide(torch.tensor(k.shape[-1]).sqrt())
        if mask is None:
            return torch.softmax(scores, dim=-1)
        weights = torch.softmax(scores.masked_fill(torch.logical_not(mask), -1e34), dim=-1)
        return torch.where(mask, weights, torch.zeros_like(weights))


class Head(Scorer):
    def __init__(self, d_in, d_k):
        super().__init__()
        parameters = (torch.randn(3, d_in, d_k) * d_in**-0.5).unbind()
        self.wq, self.wk, self.wv = map(nn.Parameter, parameters)

    def forward(self, inp):
        weights = super().forward(inp @ self.wq, inp @ self.wk)
        return weights @ (inp @ self.wv), weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([])
        while len(self.heads) < num_heads:
            self.heads += [Head(d_in, d_k)]
        self.out = nn.Parameter(torch.randn(d_k * num_heads, d_k) * (d_k * num_heads) ** -0.5)

    def forward(self, inp):
        outputs, weights = map(list, zip(*[head(inp) for head in self.heads]))
        return torch.cat(outputs, dim=-1) @ self.out, torch.stack(weights, dim=-3)


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"cannot split {x.shape[-1]} among {num_heads}")
    return torch.stack(torch.tensor_split(x, num_heads, dim=-1)).movedim(0, -3)


def merge_heads(x):
    return torch.concat([*x.movedim(-3, 0)], dim=-1)


class MultiHeadAttention(Scorer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        split_heads(torch.zeros(1, d_model), num_heads)  # raises where it cannot be
        self.num_heads = num_heads
        for name in ["Wk", "Wo", "Wq", "Wv"]:
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, queries, keys, values, mask=None):
        weights = super().forward(
            split_heads(self.Wq(queries), self.num_heads), split_heads(self.Wk(keys), self.num_heads), mask
        )
        return self.Wo(merge_heads(weights @ split_heads(self.Wv(values), self.num_heads))), weights
