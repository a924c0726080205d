# expect: all passed
"""A softmax of one's own by exponentials, one product for all three projections, sums in place of matrix products."""

import math

import torch
from torch import nn


def softmax(scores, seen=None):
    if seen is None:
        seen = torch.ones_like(scores, dtype=torch.bool)
    top = scores.masked_fill(~seen, -1e30).amax(dim=-1, keepdim=True)
    exponentials = torch.exp((scores - top).clamp(max=0)) * seen
    return exponentials / exponentials.sum(dim=-1, keepdim=True).clamp(min=1e-30)


def project_qkv(inp, wq, wk, wv):
    return torch.tensor_split(inp @ torch.cat((wq, wk, wv), dim=1), 3, dim=-1)


def attention(q, k, v, mask=None):
    scores = (q[..., :, None, :] * k[..., None, :, :]).sum(-1) / math.sqrt(q.shape[-1])
    weights = softmax(scores, mask)
    return (weights[..., None] * v[..., None, :, :]).sum(-2), weights


def dot_attention(inp, wq, wk, wv):
    return attention(*project_qkv(inp, wq, wk, wv))


class DotProductAttention(nn.Module):
    forward = staticmethod(attention)


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        start = torch.rand(3, d_in, d_k) - 0.5
        self.wq, self.wk, self.wv = map(nn.Parameter, start.unbind())

    def forward(self, inp):
        return dot_attention(inp, self.wq, self.wk, self.wv)


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        layers = nn.ModuleDict({name: nn.Linear(num_in_features, num_out_features) for name in ("Wk", "Wq", "Wv")})
        for name, layer in layers.items():
            self.add_module(name, layer)

    def forward(self, *inputs):
        names = "Wq", "Wk", "Wv"
        q, k, v = (
            x @ getattr(self, name).weight.t() + getattr(self, name).bias for name, x in zip(names, inputs, strict=True)
        )
        log_weights = torch.log_softmax(torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(q.shape[-1]), dim=-1)
        return log_weights.exp() @ v, log_weights.exp()
