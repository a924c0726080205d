# expect: SelfAttentionBlock passed
"""Heads by unflatten."""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.d = num_heads, d_model // num_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.Wv = nn.Linear(d_model, d_model)
        self.Wo = nn.Linear(d_model, d_model)

    def forward(self, queries, keys, values, mask=None):
        q = self.Wq(queries).unflatten(-1, (self.h, self.d)).transpose(-2, -3)
        k = self.Wk(keys).unflatten(-1, (self.h, self.d)).transpose(-2, -3)
        v = self.Wv(values).unflatten(-1, (self.h, self.d)).transpose(-2, -3)
        s = q @ k.transpose(-1, -2) / math.sqrt(self.d)
        if mask is not None:
            s = s.masked_fill(~mask, -1e30)
        w = torch.softmax(s, dim=-1)
        return self.Wo((w @ v).transpose(-2, -3).flatten(-2)), w


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, x, is_word):
        mask = is_word[..., None, None, :]
        found, weights = self.attention(x, x, x, mask)
        return self.norm(found + x), weights
