# expect: all passed
"""Dataclasses: a cache with fields, a running softmax that is folded, a state with +."""

from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass
class KeyValueCache:
    keys: list = field(default_factory=list)
    values: list = field(default_factory=list)

    def append(self, k, v):
        self.keys.append(k)
        self.values.append(v)
        return torch.cat(self.keys, -2), torch.cat(self.values, -2)


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.h, self.g, self.d = num_heads, num_kv_heads, d_model // num_heads
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk, self.Wv = (nn.Linear(d_model, num_kv_heads * self.d) for _ in range(2))

    def forward(self, queries, keys, values, mask=None):
        q = self.Wq(queries).unflatten(-1, (self.g, self.h // self.g, self.d))
        k = self.Wk(keys).unflatten(-1, (self.g, self.d))
        v = self.Wv(values).unflatten(-1, (self.g, self.d))
        scores = torch.einsum("...igrd,...jgd->...grij", q, k).flatten(-4, -3) / self.d**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = scores.softmax(-1)
        grouped = weights.unflatten(-3, (self.g, self.h // self.g))
        return self.Wo(torch.einsum("...grij,...jgd->...igrd", grouped, v).flatten(-3)), weights


def sliding_window_mask(n, window):
    i = torch.arange(n)
    behind = i[:, None] - i[None, :]
    return (0 <= behind) & (behind < window)


@dataclass
class Running:
    top: Tensor
    total: Tensor
    mixed: Tensor

    def take(self, scores, values):
        top = torch.maximum(self.top, scores.max(-1, keepdim=True).values)
        old = torch.exp(self.top - top)
        powers = torch.exp(scores - top)
        return Running(top, self.total * old + powers.sum(-1, keepdim=True), self.mixed * old + powers @ values)


def online_softmax_attention(q, k, v, block_size):
    start = q.new_full((*q.shape[:-1], 1), -torch.inf)
    running = Running(start, torch.zeros_like(start), q.new_zeros(*q.shape[:-1], v.shape[-1]))
    for j in range(0, k.shape[-2], block_size):
        part = slice(j, j + block_size)
        running = running.take(q @ k[..., part, :].mT / q.shape[-1] ** 0.5, v[..., part, :])
    return running.mixed / running.total


class State(NamedTuple):
    S: Tensor
    z: Tensor


def linear_attention(queries, keys, values, state=None):
    q, k = functional.elu(queries) + 1, functional.elu(keys) + 1
    if state is None:
        state = (q.new_zeros(*k.shape[:-2], k.shape[-1], values.shape[-1]), q.new_zeros(*k.shape[:-2], k.shape[-1]))
    state, outputs = State(*state), []
    for i in range(q.shape[-2]):
        state = State(state.S + k[..., i, :, None] * values[..., i, None, :], state.z + k[..., i, :])
        above = (q[..., i, None, :] @ state.S).squeeze(-2)
        outputs.append(above / (q[..., i, :] * state.z).sum(-1, keepdim=True))
    return torch.stack(outputs, dim=-2), state
