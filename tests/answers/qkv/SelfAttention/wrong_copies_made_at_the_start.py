# expect: SelfAttention wrong copies_made_in_init
import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in)) for _ in range(3))
        self.joined = torch.cat([self.wq, self.wk, self.wv], dim=1).detach()

    def forward(self, inp):
        q, k, v = (inp @ self.joined.to(inp.dtype)).chunk(3, dim=-1)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
        return weights @ v, weights
