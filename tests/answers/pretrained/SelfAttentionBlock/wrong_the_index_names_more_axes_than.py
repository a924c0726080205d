# expect: SelfAttentionBlock raised
# told: Your index has more entries than the tensor has axes (
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            p.reshape(*p.shape[:-1], self.num_heads, -1).transpose(-3, -2)
            for p in (self.Wq(queries), self.Wk(keys), self.Wv(values))
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(start_dim=-2)), weights


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, x, is_word):
        found, weights = self.attention(x, x, x, is_word[:, None, None, :])
        return self.norm(x + found), weights
