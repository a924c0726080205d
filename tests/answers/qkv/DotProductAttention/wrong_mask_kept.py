# expect: DotProductAttention wrong
# told: This call is correct when it runs first, but earlier calls change its result.

import math

import torch
from torch import nn


class DotProductAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = None

    def forward(self, queries, keys, values, mask=None):
        if mask is not None:
            self.mask = mask
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])
        if self.mask is not None:
            scores = scores.masked_fill(~self.mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        weights = torch.where(torch.isnan(weights), torch.zeros_like(weights), weights)
        return weights @ values, weights
