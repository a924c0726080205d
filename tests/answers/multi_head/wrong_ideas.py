# expect: split_heads wrong
# expect: merge_heads wrong
# expect: ConcatMultiHeadAttention wrong
# expect: MultiHeadAttention wrong
"""Right shapes, other formulas: parts in reverse, dot products of unit vectors, dropout that is never off."""

import torch
import torch.nn.functional as F
from torch import nn


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return torch.stack(x.chunk(num_heads, dim=-1)[::-1], dim=-3)


def merge_heads(x):
    return torch.cat(sorted(x.unbind(-3), key=lambda part: float(part.detach().sum())), dim=-1)


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k)) for _ in range(3))

    def forward(self, inp):
        q, k = F.normalize(inp @ self.wq, dim=-1), F.normalize(inp @ self.wk, dim=-1)
        weights = torch.softmax(q @ k.mT, dim=-1)
        return weights @ (inp @ self.wv), weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k))

    def forward(self, inp):
        outputs, weights = zip(*(head(inp) for head in self.heads), strict=True)
        return torch.cat(outputs, dim=-1) @ self.out, torch.stack(weights, dim=-3)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)
            for layer, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        )
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e30)
        weights = F.dropout(scores.softmax(dim=-1), 0.3)  # in evaluation as in training
        if mask is not None:
            weights = weights * mask
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights
