# expect: GroupedQueryAttention raised
# told: A size must be an integer.
"""How often a head is repeated is a float."""

import math

from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.dh, self.times = d_model // num_heads, num_heads / num_kv_heads
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk, self.Wv = (nn.Linear(d_model, num_kv_heads * self.dh) for _ in "kv")

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            w(x).unflatten(-1, (-1, self.dh)).transpose(-3, -2)
            for w, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        )
        k, v = k.repeat_interleave(self.times, dim=-3), v.repeat_interleave(self.times, dim=-3)
        scores = q @ k.mT / math.sqrt(self.dh)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(-1)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights
