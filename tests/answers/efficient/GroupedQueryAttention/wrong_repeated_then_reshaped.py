# expect: GroupedQueryAttention wrong repeated_along_the_words_and_reshaped
"""Heads repeated before the axes are swapped."""

import math

import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.h, self.kv, self.d_h = num_heads, num_kv_heads, d_model // num_heads
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wv = nn.Linear(d_model, num_kv_heads * self.d_h)

    def forward(self, queries, keys, values, mask=None):
        q = self.Wq(queries).unflatten(-1, (self.h, self.d_h)).transpose(-3, -2)
        group = self.h // self.kv
        k = self.Wk(keys).unflatten(-1, (self.kv, self.d_h)).repeat_interleave(group, dim=-3)
        v = self.Wv(values).unflatten(-1, (self.kv, self.d_h)).repeat_interleave(group, dim=-3)
        n = keys.shape[-2]
        k = k.reshape(*k.shape[:-3], self.h, n, self.d_h)
        v = v.reshape(*v.shape[:-3], self.h, n, self.d_h)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_h)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights
