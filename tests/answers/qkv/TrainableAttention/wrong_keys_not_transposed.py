# expect: TrainableAttention raised
# told: (3). Did you mean `k.transpose(-2, -1)`?
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
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        scores = q @ k / math.sqrt(k.shape[-1])
        weights = torch.softmax(scores, dim=-1)
        return weights @ v, weights
