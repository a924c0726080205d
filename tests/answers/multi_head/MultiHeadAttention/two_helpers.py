# expect: MultiHeadAttention passed
"""Heads are split and merged by methods; wrong answers beside it are edits of it."""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("num_heads must divide d_model")
        self.h = num_heads
        self.d_h = d_model // num_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.Wv = nn.Linear(d_model, d_model)
        self.Wo = nn.Linear(d_model, d_model)

    def forward(self, queries, keys, values, mask=None):
        q = self.split(self.Wq(queries))
        k = self.split(self.Wk(keys))
        v = self.split(self.Wv(values))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_h)
        if mask is not None:
            scores = torch.where(mask, scores, -1e30)
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            weights = torch.where(mask, weights, 0.0)
        merged = self.merge(weights @ v)
        return self.Wo(merged), weights

    def split(self, x):
        return x.reshape(*x.shape[:-1], self.h, self.d_h).transpose(-2, -3)

    def merge(self, x):
        x = x.transpose(-2, -3)
        return x.reshape(*x.shape[:-2], self.h * self.d_h)
