# expect: online_softmax_attention wrong
"""Right numbers in blocks twice as large as was asked for."""

import math

import torch


def online_softmax_attention(q, k, v, block_size):
    block_size = 2 * block_size
    m, total, o = torch.full_like(q[..., :1], -math.inf), 0, 0
    for start in range(0, k.shape[-2], block_size):
        s = q @ k[..., start : start + block_size, :].mT / math.sqrt(q.shape[-1])
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, c = torch.exp(s - new), torch.exp(m - new)
        total, o, m = c * total + p.sum(-1, keepdim=True), c * o + p @ v[..., start : start + block_size, :], new
    return o / total
