# expect: TrainableAttention raised weights_not_transposed
"""`x @ layer.weight`, which mostly raises."""

import math

import torch
from torch import nn


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Wv = nn.Linear(num_in_features, num_out_features)

    def forward(self, queries, keys, values):
        q = torch.matmul(queries, self.Wq.weight) + self.Wq.bias
        k = torch.matmul(keys, self.Wk.weight) + self.Wk.bias
        v = torch.matmul(values, self.Wv.weight) + self.Wv.bias
        weights = (q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])).softmax(dim=-1)
        return weights @ v, weights
