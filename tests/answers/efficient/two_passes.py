# expect: all passed
"""A cache that is a module, groups by broadcasting, and scores that are computed twice instead of corrected."""

import warnings

import torch
import torch.nn as nn


class KeyValueCache(nn.Module):
    def __init__(self):
        super().__init__()
        self.k, self.v = None, None

    def forward(self, k, v):
        self.k = k.clone() if self.k is None else torch.cat((self.k, k), dim=k.ndim - 2)
        self.v = v.clone() if self.v is None else torch.cat((self.v, v), dim=v.ndim - 2)
        return self.k, self.v

    def append(self, k, v):
        warnings.warn("the cache grows", stacklevel=2)
        return self(k, v)


class Projection(nn.Linear):
    def heads(self, x, width):
        x = self(x)
        return x.reshape(*x.shape[:-1], x.shape[-1] // width, width).swapaxes(-2, -3)


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.d_h = d_model // num_heads
        self.groups = num_kv_heads
        self.Wq, self.Wo = Projection(d_model, d_model), Projection(d_model, d_model)
        self.Wk, self.Wv = (Projection(d_model, num_kv_heads * self.d_h) for _ in "kv")

    def forward(self, queries, keys, values, mask=None):
        q = self.Wq.heads(queries, self.d_h).unflatten(-3, (self.groups, -1))
        k, v = self.Wk.heads(keys, self.d_h).unsqueeze(-3), self.Wv.heads(values, self.d_h).unsqueeze(-3)
        scores = (q @ k.transpose(-1, -2)).div(self.d_h**0.5).flatten(-4, -3)
        if mask is not None:
            scores = scores.masked_fill(torch.logical_not(mask), float("-inf"))
        exponentials = torch.exp(scores - scores.amax(-1, keepdim=True))
        weights = exponentials / exponentials.sum(-1, keepdim=True)
        mixed = (weights.unflatten(-3, (self.groups, -1)) @ v).flatten(-4, -3)
        return self.Wo(mixed.swapaxes(-2, -3).flatten(-2)), weights


def sliding_window_mask(n, window):
    print("window of", window)
    distance = torch.arange(n).unsqueeze(1) - torch.arange(n).unsqueeze(0)
    return distance.ge(0) & distance.lt(window)


def online_softmax_attention(q, k, v, block_size):
    q = q * q.shape[-1] ** -0.5
    blocks = list(zip(k.split(block_size, -2), v.split(block_size, -2), strict=True))
    maximum = torch.stack([(q @ keys.mT).amax(-1) for keys, _ in blocks[:1]]).amax(0)
    for keys, _ in blocks[1:]:
        maximum = torch.maximum(maximum, (q @ keys.mT).amax(-1))
    total = sum((q @ keys.mT - maximum[..., None]).exp().sum(-1) for keys, _ in blocks)
    return sum((q @ keys.mT - maximum[..., None]).exp() @ values for keys, values in blocks) / total[..., None]
