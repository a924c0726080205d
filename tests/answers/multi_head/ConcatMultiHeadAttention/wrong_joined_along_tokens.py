# expect: ConcatMultiHeadAttention wrong
"""Concatenated along the tokens."""

import math

import torch
from torch import nn


class OneHead(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq = nn.Parameter(torch.randn(d_in, d_k))
        self.wk = nn.Parameter(torch.randn(d_in, d_k))
        self.wv = nn.Parameter(torch.randn(d_in, d_k))


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.d_k = d_k
        self.heads = nn.ModuleList([OneHead(d_in, d_k) for _ in range(num_heads)])
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k))

    def forward(self, inp):
        outputs, weights = [], []
        for head in self.heads:
            q, k, v = inp @ head.wq, inp @ head.wk, inp @ head.wv
            w = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.d_k), dim=-1)
            outputs.append(w @ v)
            weights.append(w)
        return torch.cat(outputs, dim=-2).reshape(*inp.shape[:-1], -1) @ self.out, torch.stack(weights, dim=-3)
