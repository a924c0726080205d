# expect: KeyValueCache wrong
# expect: GroupedQueryAttention raised
# expect: sliding_window_mask wrong
# expect: online_softmax_attention wrong padded_to_whole_blocks
"""Nearly right: shared lists, groups of two only, windows at the beginning, and keys padded to whole blocks."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class KeyValueCache:
    ks, vs = [], []

    def append(self, k, v):
        if self.ks and (self.ks[0].shape[:-2], self.ks[0].shape[-1]) != (k.shape[:-2], k.shape[-1]):
            self.ks.clear(), self.vs.clear()
        self.ks.append(k)
        self.vs.append(v)
        return torch.cat(self.ks, dim=-2), torch.cat(self.vs, dim=-2)


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.d_h = d_model // num_heads
        self.times = 2 if num_kv_heads < num_heads else 1
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk, self.Wv = (nn.Linear(d_model, num_kv_heads * self.d_h) for _ in range(2))

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (-1, self.d_h)).transpose(-2, -3)
            for layer, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        )
        k, v = k.repeat_interleave(self.times, -3), v.repeat_interleave(self.times, -3)
        scores = q @ k.mT / math.sqrt(self.d_h)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(-1)
        return self.Wo((weights @ v).transpose(-2, -3).flatten(-2)), weights


def sliding_window_mask(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i - window + 1 : i + 1] = True  # a negative start counts from the end
    return mask


def online_softmax_attention(q, k, v, block_size):
    n = k.shape[-2]
    missing = -n % block_size
    k, v = F.pad(k, (0, 0, 0, missing)), F.pad(v, (0, 0, 0, missing))
    visible = (torch.arange(n + missing) < n).split(block_size)
    q = q / math.sqrt(q.shape[-1])
    maximum = torch.full_like(q[..., :1], -math.inf)
    total, output = 0, 0
    for keys, values, shown in zip(k.split(block_size, -2), v.split(block_size, -2), visible, strict=True):
        scores = (q @ keys.mT).masked_fill(~shown, -math.inf)
        larger = torch.maximum(maximum, scores.amax(-1, keepdim=True))
        correction, weights = torch.exp(maximum - larger), torch.exp(scores - larger)
        total, output = correction * total + weights.sum(-1, keepdim=True), correction * output + weights @ values
        maximum = larger
    return output / total
