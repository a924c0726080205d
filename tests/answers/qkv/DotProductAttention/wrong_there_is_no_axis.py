# expect: DotProductAttention raised
# told: -dimensional, so it has no axis
import math

import torch
from torch import nn


class DotProductAttention(nn.Module):
    def __init__(self, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, mask=None):
        d = queries.shape[-1]
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
        weights = torch.softmax(scores, dim=-1)
        return torch.bmm(self.dropout(weights), values), weights
