# expect: KeyValueCache raised
# expect: GroupedQueryAttention wrong scaled_by_d_model
# expect: sliding_window_mask wrong window_on_both_sides
# expect: online_softmax_attention forbidden
"""Torch's own attention; a cache that is made with sizes; the scale of the whole model."""

import torch
import torch.nn.functional
from torch import nn


class KeyValueCache:
    def __init__(self, heads, width):
        self.k, self.v = torch.empty(heads, 0, width), torch.empty(heads, 0, width)

    def append(self, k, v):
        self.k, self.v = torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)
        return self.k, self.v


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.d_h, self.times, self.d_model = d_model // num_heads, num_heads // num_kv_heads, d_model
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk, self.Wv = (nn.Linear(d_model, num_kv_heads * self.d_h) for _ in range(2))

    def forward(self, queries, keys, values, mask=None):
        q = self.Wq(queries).unflatten(-1, (-1, self.d_h)).transpose(-2, -3)
        k = self.Wk(keys).unflatten(-1, (-1, self.d_h)).transpose(-2, -3).repeat_interleave(self.times, -3)
        v = self.Wv(values).unflatten(-1, (-1, self.d_h)).transpose(-2, -3).repeat_interleave(self.times, -3)
        scores = q @ k.mT / self.d_model**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = scores.softmax(-1)
        return self.Wo((weights @ v).transpose(-2, -3).flatten(-2)), weights


def sliding_window_mask(n, window):
    places = torch.arange(n)
    return (places[:, None] - places).abs() < window


def online_softmax_attention(q, k, v, block_size):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)
