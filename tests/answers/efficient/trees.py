# expect: all passed
"""Memory that doubles, heads in a loop, diagonals, and a tree of blocks."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class KeyValueCache:
    def __init__(self):
        self.n = 0
        self.kb = self.vb = None

    def _grow(self, buf, x, n):
        cap = 0 if buf is None else buf.shape[-2]
        if n + x.shape[-2] > cap:
            new = x.new_zeros(*x.shape[:-2], max(2 * cap, n + x.shape[-2]), x.shape[-1])
            if buf is not None:
                new[..., :n, :] = buf[..., :n, :]
            buf = new
        buf = buf.clone() if x.requires_grad else buf
        buf[..., n : n + x.shape[-2], :] = x
        return buf

    def append(self, k, v):
        self.kb = self._grow(self.kb, k, self.n)
        self.vb = self._grow(self.vb, v, self.n)
        self.n += k.shape[-2]
        return self.kb[..., : self.n, :], self.vb[..., : self.n, :]


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads = num_heads
        self.group = num_heads // num_kv_heads
        self.d_h = d_model // num_heads
        narrow = num_kv_heads * self.d_h
        for name, out in {"Wo": d_model, "Wv": narrow, "Wk": narrow, "Wq": d_model}.items():
            setattr(self, name, nn.Linear(d_model, out))
            nn.init.xavier_uniform_(getattr(self, name).weight)
        self.drop = nn.Dropout(0.1)

    def forward(self, queries, keys, values, mask=None):
        Q, K, V = (
            self.Wq(queries).split(self.d_h, -1),
            self.Wk(keys).split(self.d_h, -1),
            self.Wv(values).split(self.d_h, -1),
        )
        outs, ws = [], []
        if mask is not None:
            mask = mask.broadcast_to((*queries.shape[:-2], self.num_heads, queries.shape[-2], keys.shape[-2]))
        for i in range(self.num_heads):
            s = Q[i] @ K[i // self.group].mT / self.d_h**0.5
            if mask is not None:
                s = s.masked_fill(mask[..., i, :, :].logical_not(), -1e30)
            w = F.softmax(s, dim=-1)
            ws.append(w)
            outs.append(self.drop(w) @ V[i // self.group])
        return self.Wo(torch.cat(outs, -1)), torch.stack(ws, -3)


def sliding_window_mask(n, window):
    m = torch.zeros(n, n)
    for k in range(min(window, n)):
        m += torch.diag(torch.ones(n - k), -k)
    return m.bool()


def online_softmax_attention(q, k, v, block_size):
    def go(a, b):
        if b - a <= block_size:
            s = q @ k[..., a:b, :].mT * (1 / math.sqrt(q.shape[-1]))
            m = s.amax(-1, keepdim=True)
            p = (s - m).exp()
            return m, p.sum(-1, keepdim=True), p @ v[..., a:b, :]
        c = (a + b) // 2
        m1, l1, o1 = go(a, c)
        m2, l2, o2 = go(c, b)
        m = torch.maximum(m1, m2)
        x, y = (m1 - m).exp(), (m2 - m).exp()
        return m, l1 * x + l2 * y, o1 * x + o2 * y

    _m, total, o = go(0, k.shape[-2])
    return o / total
