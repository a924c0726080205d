# expect: online_softmax_attention wrong maximum_not_updated
"""The maximum is never kept."""

import math

import torch


def online_softmax_attention(q, k, v, block_size):
    n_k, d = k.shape[-2:]
    q = q * d**-0.5
    m = torch.full((*q.shape[:-1], 1), -math.inf, dtype=q.dtype)
    total = torch.zeros_like(m)
    acc = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for start in range(0, n_k, block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = q @ kb.transpose(-2, -1)
        new = torch.maximum(m, s.max(dim=-1, keepdim=True).values)
        p = torch.exp(s - new)
        scale = torch.exp(m - new)
        total = total * scale + p.sum(dim=-1, keepdim=True)
        acc = acc * scale + p @ vb
    return acc / total
