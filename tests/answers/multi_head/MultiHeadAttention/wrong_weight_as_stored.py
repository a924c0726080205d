# expect: MultiHeadAttention wrong weights_not_transposed
"""`x @ layer.weight`, with square weights."""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("heads do not fit")
        self.h, self.d_h = num_heads, d_model // num_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.Wv = nn.Linear(d_model, d_model)
        self.Wo = nn.Linear(d_model, d_model)

    def forward(self, queries, keys, values, mask=None):
        q = torch.matmul(queries, self.Wq.weight) + self.Wq.bias
        k = torch.matmul(keys, self.Wk.weight) + self.Wk.bias
        v = torch.matmul(values, self.Wv.weight) + self.Wv.bias
        q, k, v = (t.unflatten(-1, (self.h, self.d_h)).transpose(-3, -2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_h)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        out = (weights @ v).transpose(-3, -2).flatten(-2)
        return self.Wo(out), weights
