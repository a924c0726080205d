# expect: MultiHeadAttention wrong
import math

import torch
from torch import nn


def split(x, h):
    return x.unflatten(-1, (h, -1)).transpose(-3, -2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("heads do not fit")
        self.num_heads, self.mask = num_heads, None
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        if mask is not None:
            self.mask = mask
        q, k, v = (
            split(layer(x), self.num_heads) for layer, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        )
        scores = q @ k.mT / math.sqrt(k.shape[-1])
        if self.mask is not None:
            scores = scores.masked_fill(~self.mask, -math.inf)
        weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights
