# expect: DotProductAttention wrong
# plain: returned 3 at [0, 0] for attn_output
import math

import torch
from torch import nn


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.size(-1))
        if mask is None:
            mask = torch.tril(torch.ones_like(scores)).bool()
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        attn = torch.softmax(scores, dim=-1).masked_fill(~mask, 0)
        return attn @ values, attn
