# expect: SelfAttention wrong
# plain: was created without wq
"""The parameters have names of their own."""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Parameter(torch.rand(d_in, d_k)) for _ in range(3))

    def forward(self, inp):
        q, k, v = inp @ self.W_q, inp @ self.W_k, inp @ self.W_v
        weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
        return weights @ v, weights
