# expect: all passed
"""exp(scores - logsumexp(scores)); heads by fancy indices; one matrix product for all projections."""

import torch
from torch import nn


def weights_of(scores, mask=None):
    if mask is None:
        return torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    logs = scores.masked_fill(~mask, -1e30)
    return torch.exp(logs - logs.logsumexp(-1, keepdim=True)) * mask


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wv = nn.Parameter(torch.rand(d_in, d_k))
        self.wk = nn.Parameter(torch.rand(d_in, d_k))
        self.wq = nn.Parameter(torch.rand(d_in, d_k))

    def forward(self, inp):
        q, k, v = torch.tensordot(inp, torch.stack([self.wq, self.wk, self.wv], 1), 1).unbind(-2)
        weights = weights_of(q @ k.mT * (1 / q.shape[-1]) ** 0.5)
        return weights @ v, weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([Head(d_in, d_k) for _ in range(num_heads)])
        self.out = nn.Parameter(torch.eye(num_heads * d_k, d_k) + 0.1 * torch.randn(num_heads * d_k, d_k))

    def forward(self, inp):
        both = [head(inp) for head in self.heads]
        stacked = torch.stack([output for output, _ in both], dim=-2)
        return stacked.flatten(-2) @ self.out, torch.stack([weights for _, weights in both], dim=-3)


def places(d, num_heads):
    if d % num_heads > 0:
        raise ValueError(f"{num_heads} does not divide {d}")
    return torch.arange(d).view(num_heads, -1)


def split_heads(x, num_heads):
    return x[..., places(x.shape[-1], num_heads)].transpose(-3, -2)


def merge_heads(x):
    h, n, width = x.shape[-3:]
    return torch.stack([x[..., c // width, :, c % width] for c in range(h * width)], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.register_buffer("places", places(d_model, num_heads), persistent=False)
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model, bias=True) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        q = self.Wq(queries)[..., self.places].transpose(-3, -2)
        k = self.Wk(keys)[..., self.places].transpose(-3, -2)
        v = self.Wv(values)[..., self.places].transpose(-3, -2)
        weights = weights_of(q @ k.transpose(-1, -2) / k.shape[-1] ** 0.5, mask)
        mixed = (weights @ v).transpose(-3, -2)
        return self.Wo(mixed.reshape(*mixed.shape[:-2], -1)), weights.detach()
