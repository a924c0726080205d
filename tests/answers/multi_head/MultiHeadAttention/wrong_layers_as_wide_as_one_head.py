# expect: MultiHeadAttention wrong
# plain: its attribute Wq.weight has shape (2, 4), expected (4, 4)
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("no")
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model // num_heads) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)
        return self.Wo(weights @ v), weights
