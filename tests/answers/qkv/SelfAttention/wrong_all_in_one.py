# expect: SelfAttention wrong
# plain: was created without wq
"""One layer for queries, keys and values."""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.qkv = nn.Linear(d_in, 3 * d_k, bias=False)

    def forward(self, inp):
        q, k, v = self.qkv(inp).chunk(3, -1)
        weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
        return weights @ v, weights
