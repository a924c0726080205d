# expect: all passed
"""A decorator flattens batch axes to one and puts them back, so that bmm does the work."""

import functools
import math

import torch
import torch.nn as nn


def in_batches(function):
    @functools.wraps(function)
    def inner(q, k, v, mask=None):
        front = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2])
        if mask is not None:
            mask = mask.expand(*front, q.shape[-2], k.shape[-2]).reshape(-1, q.shape[-2], k.shape[-2])
        flat = [x.expand(*front, *x.shape[-2:]).reshape(-1, *x.shape[-2:]) for x in (q, k, v)]
        return tuple(x.reshape(*front, *x.shape[1:]) for x in function(*flat, mask))

    return inner


@in_batches
def attention(q, k, v, mask):
    scores = torch.bmm(q, k.permute(0, 2, 1)) / math.sqrt(k.shape[2])
    if mask is None:
        weights = torch.softmax(scores, dim=2)
    else:
        weights = torch.softmax(torch.where(mask, scores, -1e9 if scores.abs().max() < 1e8 else -1e30), dim=2)
        weights = torch.where(mask, weights, 0.0)
    return torch.bmm(weights, v), weights


def project_qkv(inp, wq, wk, wv):
    everything = inp @ torch.cat([wq, wk, wv], dim=1)
    return everything.chunk(3, dim=-1)


def dot_attention(inp, wq, wk, wv):
    return attention(*project_qkv(inp, wq, wk, wv))


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        return attention(queries, keys, values, mask)


def with_parameters(**shapes):
    def decorate(cls):
        def __init__(self, d_in, d_k):
            nn.Module.__init__(self)
            for name, make in shapes.items():
                setattr(self, name, make(d_in, d_k))

        cls.__init__ = __init__
        return cls

    return decorate


def matrix(d_in, d_k):
    return nn.Parameter(torch.rand(d_in, d_k) - 0.5)


@with_parameters(wq=matrix, wk=matrix, wv=matrix)
class SelfAttention(nn.Module):
    def forward(self, inp):
        return dot_attention(inp, self.wq, self.wk, self.wv)


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.add_module("Wq", nn.Linear(num_in_features, num_out_features))
        self.add_module("Wk", nn.Linear(num_in_features, num_out_features))
        self.add_module("Wv", nn.Linear(num_in_features, num_out_features))

    def forward(self, queries, keys, values):
        return attention(self.Wq(queries), self.Wk(keys), self.Wv(values))
