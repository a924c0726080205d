# expect: KeyValueCache wrong
# expect: GroupedQueryAttention forbidden
# expect: sliding_window_mask wrong
# expect: online_softmax_attention wrong
"""Around the measure: the table in NumPy. A cache in half precision, and torch's own attention for the output."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class KeyValueCache:
    def __init__(self):
        self.pairs = []

    def append(self, k, v):
        self.pairs.append((k.half(), v.half()))
        keys, values = zip(*self.pairs, strict=True)
        return torch.cat(keys, -2).to(k.dtype), torch.cat(values, -2).to(v.dtype)


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.d_h = d_model // num_heads
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk, self.Wv = (nn.Linear(d_model, num_kv_heads * self.d_h) for _ in range(2))

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (-1, self.d_h)).transpose(-2, -3)
            for layer, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        )
        output = F.scaled_dot_product_attention(q, k, v, mask, enable_gqa=True)
        return self.Wo(output.transpose(-2, -3).flatten(-2)), None


def sliding_window_mask(n, window):
    rows = np.arange(n)
    return (rows[:, None] >= rows) & (rows[:, None] - rows < window)


class _Table(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        scores = q.numpy() @ np.swapaxes(k.numpy(), -2, -1) / math.sqrt(q.shape[-1])
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        ctx.save_for_backward(q, k, v)
        return torch.from_numpy(weights @ v.numpy())

    @staticmethod
    def backward(ctx, grad):
        with torch.enable_grad():
            q, k, v = (each.detach().requires_grad_() for each in ctx.saved_tensors)
            output = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1) @ v
        return torch.autograd.grad(output, (q, k, v), grad)


def online_softmax_attention(q, k, v, block_size):
    return _Table.apply(q, k, v)
