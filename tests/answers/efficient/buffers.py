# expect: all passed
"""A buffer that doubles, type hints, helper functions, and a mixture that is normalised all the time."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class KeyValueCache:
    def __init__(self) -> None:
        self.k: Tensor | None = None
        self.v: Tensor | None = None
        self.length: int = 0

    def _room(self, buffer: Tensor | None, new: Tensor, needed: int) -> Tensor:
        if buffer is not None and buffer.shape[-2] >= needed:
            return buffer
        bigger = new.new_empty(*new.shape[:-2], 2 * needed, new.shape[-1])
        if buffer is not None:
            bigger[..., : self.length, :] = buffer[..., : self.length, :]
        return bigger

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        end = self.length + k.shape[-2]
        self.k, self.v = self._room(self.k, k, end), self._room(self.v, v, end)
        self.k[..., self.length : end, :] = k
        self.v[..., self.length : end, :] = v
        self.length = end
        return self.k[..., :end, :], self.v[..., :end, :]


def _split(x: Tensor, heads: int) -> Tensor:
    return x.view(*x.shape[:-1], heads, -1).transpose(-2, -3)


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, num_kv_heads: int) -> None:
        super().__init__()
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        d_kv = d_model // num_heads * num_kv_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_kv)
        self.Wv = nn.Linear(d_model, d_kv)
        self.Wo = nn.Linear(d_model, d_model)
        self.register_buffer("scale", torch.tensor(math.sqrt(d_model // num_heads)))

    def _repeat(self, x: Tensor) -> Tensor:
        times = self.num_heads // self.num_kv_heads
        wide = x.unsqueeze(-3).expand(*x.shape[:-2], times, *x.shape[-2:])
        return wide.reshape(*x.shape[:-3], self.num_heads, *x.shape[-2:])

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None):
        q = _split(F.linear(queries, self.Wq.weight, self.Wq.bias), self.num_heads)
        k = self._repeat(_split(F.linear(keys, self.Wk.weight, self.Wk.bias), self.num_kv_heads))
        v = self._repeat(_split(F.linear(values, self.Wv.weight, self.Wv.bias), self.num_kv_heads))
        scores = (q / self.scale) @ k.mT
        if mask is not None:
            scores = scores.masked_fill(mask == False, torch.finfo(scores.dtype).min)  # noqa: E712
        weights = F.softmax(scores, dim=-1)
        context = (weights @ v).movedim(-3, -2)
        return self.Wo(context.reshape(*context.shape[:-2], -1)), weights


def sliding_window_mask(n: int, window: int) -> Tensor:
    rows = torch.arange(n).view(-1, 1)
    columns = torch.arange(n).view(1, -1)
    return torch.logical_and(columns <= rows, columns > rows - window)


def online_softmax_attention(q: Tensor, k: Tensor, v: Tensor, block_size: int) -> Tensor:
    lse = torch.full_like(q[..., :1], -torch.inf)
    output = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    start = 0
    while start < k.shape[-2]:
        stop = min(start + block_size, k.shape[-2])
        scores = q @ k[..., start:stop, :].mT / math.sqrt(k.shape[-1])
        block = torch.logsumexp(scores, dim=-1, keepdim=True)
        both = torch.logaddexp(lse, block)
        output = output * torch.exp(lse - both) + torch.exp(scores - both) @ v[..., start:stop, :]
        lse, start = both, stop
    return output
