# expect: DotProductAttention raised
# plain: raised TypeError: masked_fill() received an invalid
"""What is put in the place of hidden scores is forgotten."""

import torch
from torch import nn


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        scores = queries @ keys.mT / keys.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask)
        weights = torch.softmax(scores, -1).nan_to_num()
        return weights @ values, weights
