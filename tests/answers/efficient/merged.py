# expect: all passed
"""Named pairs, groups by einsum, a mask that grows from the smaller one, and blocks merged by their logarithms."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Both(NamedTuple):
    k: torch.Tensor
    v: torch.Tensor


class KeyValueCache:
    def __init__(self, both: Both | None = None):
        self.both = both

    def append(self, k, v):
        self.both = (
            Both(*(torch.concatenate(p, axis=-2) for p in zip(self.both, (k, v), strict=False)))
            if self.both
            else Both(k, v)
        )
        return self.both


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        d_h = d_model // num_heads
        self.sizes = num_kv_heads, num_heads // num_kv_heads, d_h
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk, self.Wv = nn.Linear(d_model, num_kv_heads * d_h), nn.Linear(d_model, num_kv_heads * d_h)

    def forward(self, queries, keys, values, mask=None):
        g, r, d = self.sizes
        q = self.Wq(queries).unflatten(-1, (g, r, d))
        k = self.Wk(keys).unflatten(-1, (g, d))
        v = self.Wv(values).unflatten(-1, (g, d))
        s = torch.einsum("...qgrd,...kgd->...grqk", q, k) * d**-0.5
        s = s.flatten(-4, -3)
        if mask is not None:
            s = torch.where(mask, s, torch.finfo(s.dtype).min)
        w = torch.softmax(s, -1)
        o = torch.einsum("...grqk,...kgd->...qgrd", w.unflatten(-3, (g, r)), v)
        return self.Wo(o.flatten(-3)), w


def sliding_window_mask(n, window):
    if n == 1:
        return torch.ones(1, 1, dtype=torch.bool)
    s = sliding_window_mask(n - 1, window)
    last = torch.arange(n) > n - 1 - window
    return torch.cat([F.pad(s, (0, 1)), last[None]])


def online_softmax_attention(q, k, v, block_size):
    out, lse = None, None
    for kb, vb in zip(k.split(block_size, -2), v.split(block_size, -2), strict=False):
        s = (q @ kb.mT).div_(q.shape[-1] ** 0.5) if not q.requires_grad else (q @ kb.mT) / q.shape[-1] ** 0.5
        ls = s.logsumexp(-1, keepdim=True)
        ob = s.softmax(-1) @ vb
        if out is None:
            out, lse = ob, ls
        else:
            new = torch.logaddexp(lse, ls)
            out = out * (lse - new).exp() + ob * (ls - new).exp()
            lse = new
    return out
