# expect: ConcatMultiHeadAttention wrong
# plain: for output, expected
import math

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in)) for _ in range(3))

    def forward(self, inp):
        weights = torch.softmax(inp @ self.wq @ (inp @ self.wk).mT / math.sqrt(self.wk.shape[-1]), dim=-1)
        return weights @ inp @ self.wv, weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([Head(d_in, d_k) for _ in range(num_heads)])
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k) / 4)

    def forward(self, inp):
        outputs, weights = zip(*(self.heads[0](inp) for _ in self.heads), strict=True)
        return torch.cat(outputs, dim=-1) @ self.out, torch.stack(weights, dim=-3)
