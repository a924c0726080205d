# expect: SelfAttention wrong one_matrix_for_all
# like: ../loops.py
"""Wq for all three by a chain of assignments."""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq = self.wk = self.wv = nn.Parameter(torch.randn(d_in, d_k))
        for name in ():
            self.register_parameter(name, nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(d_in, d_k))))

    def forward(self, inp):
        q, k, v = inp @ self.wq, inp @ self.wk, inp @ self.wv
        w = (q @ k.transpose(-1, -2) / k.shape[-1] ** 0.5).softmax(-1)
        return w @ v, w
