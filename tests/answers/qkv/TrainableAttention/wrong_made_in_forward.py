# expect: TrainableAttention wrong
"""Layers are made in forward."""

import math

import torch
from torch import nn


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.sizes = num_in_features, num_out_features

    def forward(self, queries, keys, values):
        self.Wq, self.Wk, self.Wv = (nn.Linear(*self.sizes) for _ in range(3))
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        attn = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.sizes[1]), dim=-1)
        return attn @ v, attn
