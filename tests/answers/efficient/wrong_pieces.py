# expect: KeyValueCache wrong counted_from_the_front
# expect: GroupedQueryAttention wrong
# expect: sliding_window_mask wrong
# expect: online_softmax_attention wrong full_score_matrix
"""The table put together from blocks, a window that is kept, and other mistakes that are not on the list."""

import math

import torch
from torch import nn


class KeyValueCache:
    def __init__(self):
        self.k = self.v = None

    def append(self, k, v):
        self.k = k if self.k is None else torch.cat([self.k, k], 1)
        self.v = v if self.v is None else torch.cat([self.v, v], 1)
        return self.k, self.v


class GroupedQueryAttention(nn.Module):
    """Query head i uses key head i % num_kv_heads, and values i // group: half right."""

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.h, self.kv, self.d_h = num_heads, num_kv_heads, d_model // num_heads
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk, self.Wv = nn.Linear(d_model, self.kv * self.d_h), nn.Linear(d_model, self.kv * self.d_h)

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (-1, self.d_h)).transpose(-2, -3)
            for layer, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        )
        heads = torch.arange(self.h)
        k, v = k[..., heads % self.kv, :, :], v[..., heads // (self.h // self.kv), :, :]
        scores = q @ k.mT / math.sqrt(self.d_h)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(-1)
        return self.Wo((weights @ v).transpose(-2, -3).flatten(-2)), weights


def sliding_window_mask(n, window):
    """Right but where the window is larger than the text."""
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i - window + 1 if i >= window else 0 : i + 1] = True
    return mask if window <= n else ~mask


def online_softmax_attention(q, k, v, block_size):
    pieces = [q @ keys.mT for keys in k.split(block_size, dim=-2)]
    return torch.softmax(torch.cat(pieces, dim=-1) / math.sqrt(q.shape[-1]), dim=-1) @ v
