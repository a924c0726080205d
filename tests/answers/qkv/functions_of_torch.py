# expect: all passed
"""torch.func-free functional style: matmul, baddbmm-like sums and log_softmax, with functools.partial."""

import functools
import math

import torch
from torch import nn


def project_qkv(inp, wq, wk, wv):
    return tuple(map(functools.partial(torch.matmul, inp), (wq, wk, wv)))


def softly(scores):
    return torch.log_softmax(scores, -1).exp()


def attention(q, k, v):
    weights = softly(torch.matmul(q, torch.movedim(k, -1, -2)).div(math.sqrt(q.size(-1))))
    return torch.matmul(weights, v), weights


def dot_attention(inp, wq, wk, wv):
    return attention(*project_qkv(inp, wq, wk, wv))


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        scores = queries.matmul(keys.mT) * keys.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = softly(scores)
        if mask is not None:
            weights = weights * mask
        return weights.matmul(values), weights


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        for name in ("wv", "wk", "wq"):
            self.register_parameter(name, nn.Parameter(nn.init.kaiming_uniform_(torch.empty(d_in, d_k))))

    def forward(self, inp):
        return dot_attention(inp, self.wq, self.wk, self.wv)


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        make = functools.partial(nn.Linear, num_in_features, num_out_features)
        self.Wq, self.Wk, self.Wv = (make() for _ in range(3))

    def forward(self, queries, keys, values):
        return attention(self.Wq(queries), self.Wk(keys), self.Wv(values))
