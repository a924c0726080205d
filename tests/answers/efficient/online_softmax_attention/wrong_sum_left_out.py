# expect: online_softmax_attention wrong not_divided
import math

import torch


def online_softmax_attention(q, k, v, block_size):
    scale = 1 / math.sqrt(q.shape[-1])
    m = torch.full((*q.shape[:-1], 1), -torch.inf, dtype=q.dtype)
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for i in range(0, k.shape[-2], block_size):
        s = q @ k[..., i : i + block_size, :].transpose(-1, -2) * scale
        new = torch.maximum(m, s.max(dim=-1, keepdim=True).values)
        p = torch.exp(s - new)
        shrink = torch.exp(m - new)
        out = out * shrink + p @ v[..., i : i + block_size, :]
        m = new
    return out
