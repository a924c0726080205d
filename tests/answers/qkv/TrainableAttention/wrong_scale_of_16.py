# expect: TrainableAttention wrong scaled_for_the_default_width
"""Hard-coded scale of 16."""

import torch
from torch import nn


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wv = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.scale = 1 / 16

    def forward(self, queries, keys, values):
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        attn = torch.softmax(q @ k.transpose(-2, -1) * self.scale, dim=-1)
        return attn @ v, attn
