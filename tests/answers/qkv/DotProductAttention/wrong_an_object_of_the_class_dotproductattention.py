# expect: DotProductAttention raised
# plain: raised TypeError: unsupported operand type(s) for @
import math

import torch
from torch import nn


class DotProductAttention(nn.Module):
    def forward(queries, keys, values, mask=None):
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.size(-1))
        attn = torch.softmax(scores, dim=-1)
        return attn @ values, attn
