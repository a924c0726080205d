# expect: TrainableAttention wrong relu_on_all_projections
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
        q, k, v = torch.relu(self.Wq(queries)), torch.relu(self.Wk(keys)), torch.relu(self.Wv(values))
        w = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(k.shape[-1]), dim=-1)
        return w @ v, w
