# expect: all passed
"""A softmax of its own as an autograd.Function, helper modules below, and inheritance from one to the next."""

import math

import torch
from torch import nn


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores):
        powers = (scores - scores.max(-1, keepdim=True)[0]).exp_()
        weights = powers.div_(powers.sum(-1, keepdim=True))
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, grad):
        (weights,) = ctx.saved_tensors
        return weights * (grad - (grad * weights).sum(-1, keepdim=True))


class DotProductAttention(nn.Module):
    def score(self, queries, keys):
        return queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])

    def forward(self, queries, keys, values, mask=None):
        scores = self.score(queries, keys)
        if mask is not None:
            scores = torch.where(mask, scores, torch.full_like(scores, -1e32))
        weights = Softmax.apply(scores)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0)
        return weights @ values, weights


def project_qkv(inp, wq, wk, wv):
    return inp @ wq, inp @ wk, inp @ wv


def dot_attention(inp, wq, wk, wv):
    return DotProductAttention().forward(*project_qkv(inp, wq, wk, wv))


class SelfAttention(DotProductAttention):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq = nn.Parameter(nn.init.orthogonal_(torch.empty(d_in, d_k)))
        self.wk = nn.Parameter(nn.init.orthogonal_(torch.empty(d_in, d_k)))
        self.wv = nn.Parameter(nn.init.orthogonal_(torch.empty(d_in, d_k)))

    def forward(self, inp):
        return super().forward(*project_qkv(inp, self.wq, self.wk, self.wv))


class TrainableAttention(DotProductAttention):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq, self.Wk, self.Wv = [nn.Linear(num_in_features, num_out_features) for _ in "qkv"]

    def forward(self, queries, keys, values):
        return super().forward(self.Wq(queries), self.Wk(keys), self.Wv(values))
