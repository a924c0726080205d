# expect: MultiHeadAttention raised
# told: 12 numbers cannot be reshaped to (2, 2, 2).
import math

from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("heads do not fit")
        self.num_heads, self.width = num_heads, d_model // num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        *batch, n, d = queries.shape
        q = self.Wq(queries).reshape(*batch, n, self.num_heads, self.width).transpose(-3, -2)
        k = self.Wk(keys).reshape(*batch, n, self.num_heads, self.width).transpose(-3, -2)
        v = self.Wv(values).reshape(*batch, n, self.num_heads, self.width).transpose(-3, -2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.width)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e30)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0)
        return self.Wo((weights @ v).transpose(-3, -2).reshape(*batch, n, d)), weights
