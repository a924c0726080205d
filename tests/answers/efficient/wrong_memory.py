# expect: KeyValueCache wrong everything_concatenated_again_in_every_call
# expect: GroupedQueryAttention wrong repeat_instead_of_repeat_interleave
# expect: sliding_window_mask wrong one_word_too_many
# expect: online_softmax_attention wrong full_score_matrix
"""Right numbers from too much work, and each exercise's most tempting mistake."""

import math

import torch
from torch import nn


class KeyValueCache:
    def __init__(self):
        self.history = []

    def append(self, k, v):
        self.history.append((k, v))
        all_k, all_v = k[..., :0, :], v[..., :0, :]
        for old_k, old_v in self.history:
            all_k = torch.cat([all_k, old_k], dim=-2)
            all_v = torch.cat([all_v, old_v], dim=-2)
        return all_k, all_v


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.d_h = num_heads, num_kv_heads, d_model // num_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wv = nn.Linear(d_model, num_kv_heads * self.d_h)
        self.Wo = nn.Linear(d_model, d_model)

    def split(self, x, heads):
        return x.view(*x.shape[:-1], heads, self.d_h).transpose(-2, -3)

    def forward(self, queries, keys, values, mask=None):
        q = self.split(self.Wq(queries), self.num_heads)
        times = self.num_heads // self.num_kv_heads
        ones = [1] * (q.ndim - 3)
        k = self.split(self.Wk(keys), self.num_kv_heads).repeat(*ones, times, 1, 1)
        v = self.split(self.Wv(values), self.num_kv_heads).repeat(*ones, times, 1, 1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_h)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        weights = torch.softmax(scores, dim=-1)
        mixed = (weights @ v).transpose(-2, -3)
        return self.Wo(mixed.reshape(*mixed.shape[:-2], -1)), weights


def sliding_window_mask(n, window):
    ones = torch.ones(n, n, dtype=torch.bool)
    return ones.tril() & ones.triu(-window)


def online_softmax_attention(q, k, v, block_size):
    scores = torch.matmul(q, k.mT) / math.sqrt(k.shape[-1])
    scores = scores - scores.max(dim=-1, keepdim=True).values
    exponentials = torch.exp(scores)
    return torch.matmul(exponentials, v) / exponentials.sum(-1, keepdim=True)
