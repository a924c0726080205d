# expect: ConcatMultiHeadAttention wrong
# told: No gradient reaches heads.0.wk because heads.0.wq is 0 everywhere
"""Neither wq nor wk ever moves."""

import math

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq = nn.Parameter(torch.zeros(d_in, d_k))
        self.wk = nn.Parameter(torch.zeros(d_in, d_k))
        self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))

    def forward(self, inp):
        q, k, v = inp @ self.wq, inp @ self.wk, inp @ self.wv
        w = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), -1)
        return w @ v, w


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([Head(d_in, d_k) for _ in range(num_heads)])
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k) / math.sqrt(num_heads * d_k))

    def forward(self, inp):
        outs, ws = zip(*[head(inp) for head in self.heads], strict=True)
        return torch.cat(outs, -1) @ self.out, torch.stack(ws, -3)
