# expect: GroupedQueryAttention passed
"""Each head takes its keys by an index."""

import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.h, self.g = num_heads, num_kv_heads
        self.d_h = d_model // num_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wv = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wo = nn.Linear(d_model, d_model)

    def forward(self, queries, keys, values, mask=None):
        q = self.Wq(queries).unflatten(-1, (self.h, self.d_h)).transpose(-2, -3)
        k = self.Wk(keys).unflatten(-1, (self.g, self.d_h)).transpose(-2, -3)
        v = self.Wv(values).unflatten(-1, (self.g, self.d_h)).transpose(-2, -3)
        index = torch.arange(self.h) // (self.h // self.g)
        k, v = k[..., index, :, :], v[..., index, :, :]
        scores = q @ k.mT / self.d_h**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = scores.softmax(dim=-1)
        out = weights @ v
        return self.Wo(out.transpose(-2, -3).flatten(-2)), weights
