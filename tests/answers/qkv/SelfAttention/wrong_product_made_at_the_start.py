# expect: SelfAttention wrong product_computed_in_init
import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in)) for _ in range(3))
        self.product = (self.wq @ self.wk.T / math.sqrt(d_k)).detach()

    def forward(self, inp):
        weights = torch.softmax(inp @ self.product @ inp.transpose(-2, -1), dim=-1)
        return weights @ (inp @ self.wv), weights
