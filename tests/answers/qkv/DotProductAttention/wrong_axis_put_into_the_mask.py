# expect: DotProductAttention wrong
"""Mask is converted in a wrong way for (n_k,): unsqueeze."""

import math

import torch
from torch import nn


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.size(-1))
        if mask is None:
            weights = torch.softmax(scores, -1)
        else:
            if mask.dim() == 2:
                mask = mask.unsqueeze(1)
            weights = torch.softmax(scores.masked_fill(~mask, -1e30), -1).masked_fill(~mask, 0.0)
        return weights @ values, weights
