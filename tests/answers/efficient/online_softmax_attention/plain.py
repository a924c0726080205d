# expect: online_softmax_attention passed
"""One block after the other."""

import torch


def online_softmax_attention(q, k, v, block_size):
    q = q * q.shape[-1] ** -0.5
    m = torch.full((*q.shape[:-1], 1), -torch.inf, dtype=q.dtype)
    total, mixed = torch.zeros_like(m), torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for at in range(0, k.shape[-2], block_size):
        keys, values = (each[..., at : at + block_size, :] for each in (k, v))
        s = q @ keys.mT
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        c, p = torch.exp(m - new), torch.exp(s - new)
        total, mixed, m = c * total + p.sum(-1, keepdim=True), c * mixed + p @ values, new
    return mixed / total
