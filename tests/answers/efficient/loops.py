# expect: all passed
"""Loops wherever there can be one."""

import math

import torch
from torch import nn


class KeyValueCache:
    def __init__(self):
        self.words = []

    def append(self, k, v):
        for word in range(k.shape[-2]):
            self.words.append((k[..., word, :], v[..., word, :]))
        all_k = torch.stack([key for key, _ in self.words], dim=-2)
        all_v = torch.stack([value for _, value in self.words], dim=-2)
        return all_k, all_v


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.d_h = num_heads, num_kv_heads, d_model // num_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, self.d_h * num_kv_heads)
        self.Wv = nn.Linear(d_model, self.d_h * num_kv_heads)
        self.Wo = nn.Linear(d_model, d_model)

    def forward(self, queries, keys, values, mask=None):
        if queries.ndim > 2:
            results = []
            for number in range(len(queries)):
                part = None if mask is None else mask
                if mask is not None and mask.ndim == queries.ndim + 1:
                    part = mask[number if len(mask) > 1 else 0]
                results.append(self.forward(queries[number], keys[number], values[number], part))
            return torch.stack([output for output, _ in results]), torch.stack([weights for _, weights in results])
        q = self.Wq(queries).split(self.d_h, dim=-1)
        k = self.Wk(keys).split(self.d_h, dim=-1)
        v = self.Wv(values).split(self.d_h, dim=-1)
        if mask is not None:
            mask = mask.expand(self.num_heads, len(queries), len(keys))
        outputs, weights = [], []
        for head in range(self.num_heads):
            shared = math.floor(head / (self.num_heads / self.num_kv_heads))
            scores = q[head] @ k[shared].T / math.sqrt(self.d_h)
            if mask is not None:
                scores[~mask[head]] = -math.inf
            weights.append(torch.softmax(scores, dim=1))
            outputs.append(weights[-1] @ v[shared])
        return self.Wo(torch.cat(outputs, dim=1)), torch.stack(weights)


def sliding_window_mask(n, window):
    rows = []
    for i in range(n):
        rows.append([i - window + 1 <= j <= i for j in range(n)])
    return torch.tensor(rows)


def _one(query, k, v, block_size):
    maximum, total, output = torch.tensor(-math.inf, dtype=query.dtype), 0.0, 0.0
    for start in range(0, len(k), block_size):
        scores = k[start : start + block_size] @ query / math.sqrt(len(query))
        larger = max(maximum, scores.max())
        weights = torch.exp(scores - larger)
        correction = torch.exp(maximum - larger)
        total = total * correction + weights.sum()
        output = output * correction + weights @ v[start : start + block_size]
        maximum = larger
    return output / total


def online_softmax_attention(q, k, v, block_size):
    if q.ndim > 2:
        return torch.stack([online_softmax_attention(*each, block_size) for each in zip(q, k, v, strict=True)])
    return torch.stack([_one(query, k, v, block_size) for query in q])
