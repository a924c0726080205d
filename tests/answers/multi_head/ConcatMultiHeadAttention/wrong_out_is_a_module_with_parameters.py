# expect: ConcatMultiHeadAttention wrong
# plain: its attribute out is of type Linear, expected a parameter of shape (8, 4)
import math

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k)) for _ in range(3))

    def forward(self, inp):
        q, k, v = inp @ self.wq, inp @ self.wk, inp @ self.wv
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([Head(d_in, d_k) for _ in range(num_heads)])
        self.out = nn.Linear(num_heads * d_k, d_k)

    def forward(self, inp):
        results = [h(inp) for h in self.heads]
        return self.out(torch.cat([o for o, _ in results], dim=-1)), torch.stack([w for _, w in results], dim=-3)
