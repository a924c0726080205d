# expect: SelfAttention wrong
# told: The numbers in `weights` are correct in every call, but those in `output` are not.
import math

import torch
from torch import nn


def project_qkv(inp, wq, wk, wv):
    return (inp @ wq, inp @ wk, inp @ wv)


def dot_attention(inp, wq, wk, wv):
    q, k, v = project_qkv(inp, wq, wk, wv)
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)
    return (weights @ v, weights)


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq = nn.Parameter(torch.randn(d_in, d_k))
        self.wk = nn.Parameter(torch.randn(d_in, d_k))
        self.wv = nn.Parameter(torch.randn(d_in, d_k))
        self.dropout = nn.Dropout(0.5)
        self.proj = nn.Linear(d_k, d_k)

    def forward(self, inp):
        out, w = dot_attention(inp, self.wq, self.wk, self.wv)
        return self.proj(out), w
