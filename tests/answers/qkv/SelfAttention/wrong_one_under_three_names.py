# expect: SelfAttention wrong
# plain: has no separate parameter wq: it is the same tensor as w.
"""One parameter under three names."""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.w = nn.Parameter(torch.randn(d_in, d_k))
        for name in ("wq", "wk", "wv"):
            self.register_parameter(name, self.w)

    def forward(self, inp):
        q, k, v = inp @ self.wq, inp @ self.wk, inp @ self.wv
        w = (q @ k.transpose(-1, -2) / k.shape[-1] ** 0.5).softmax(-1)
        return w @ v, w
