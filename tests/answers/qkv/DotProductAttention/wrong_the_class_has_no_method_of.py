# expect: DotProductAttention raised
# told: The class has no method `forward`, which runs when a module is called.
import math

import torch
from torch import nn


class DotProductAttention(nn.Module):
    def call(self, queries, keys, values, mask=None):
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.size(-1))
        attn = torch.softmax(scores, dim=-1)
        return attn @ values, attn
