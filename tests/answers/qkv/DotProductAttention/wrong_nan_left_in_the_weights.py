# expect: DotProductAttention wrong nan_in_the_weights
import math

import torch
from torch import nn


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = scores.softmax(dim=-1)
        return torch.nan_to_num(weights @ values), weights
