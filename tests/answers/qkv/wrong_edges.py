# expect: all wrong
# expect: DotProductAttention raised
# expect: TrainableAttention raised
"""Half precision, a buffer kept for the next call, weights read once and never again, no default widths."""

import torch
from torch import nn

_buffers = {}


def _keep(name, result):
    buffer = _buffers.setdefault((name, result.shape, result.dtype), torch.empty_like(result))
    return buffer.copy_(result.detach()) if not result.requires_grad else result


def project_qkv(inp, wq, wk, wv):
    return tuple(_keep(name, inp @ w) for name, w in (("q", wq), ("k", wk), ("v", wv)))


def _attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


def dot_attention(inp, wq, wk, wv):
    output, weights = _attend(inp @ wq, inp @ wk, inp @ wv)
    return output, weights.half()


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        if mask is not None and mask.dim() == 1:
            mask = mask[:, None]  # right only where there are as many queries as keys
        return _attend(queries, keys, values, mask)


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k)) for _ in range(3))
        self.all = torch.cat([self.wq, self.wk, self.wv], dim=1).detach()

    def forward(self, inp):
        return _attend(*(inp @ self.all.to(inp.dtype)).chunk(3, dim=-1))


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features, num_out_features):
        super().__init__()
        self.Wq, self.Wk, self.Wv = (nn.Linear(num_in_features, num_out_features) for _ in range(3))

    def forward(self, queries, keys, values):
        return _attend(self.Wq(queries), self.Wk(keys), self.Wv(values))
