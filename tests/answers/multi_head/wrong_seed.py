# expect: split_heads wrong reshaped_without_swapping
# expect: merge_heads wrong reshaped_without_swapping_back
# expect: ConcatMultiHeadAttention raised
# expect: MultiHeadAttention wrong scaled_by_d_model
"""A notebook's multi-head attention: plain tensors in a plain list, axes counted from the front; and two jumps."""

import math

import torch
import torch.nn as nn


def split_heads(x, num_heads):
    n, d = x.shape[-2:]
    if d % num_heads:
        raise ValueError("not divisible")
    return x.view(*x.shape[:-2], num_heads, n, d // num_heads)


def merge_heads(x):
    h, n, d_h = x.shape[-3:]
    return x.reshape(*x.shape[:-3], n, h * d_h)


class SelfAttention(nn.Module):
    def __init__(self, d_in, dk):
        super().__init__()
        self.dk = dk
        self.wq, self.wk, self.wv = [torch.rand(d_in, dk) for i in range(3)]

    def forward(self, inp):
        q, k, v = inp @ self.wq, inp @ self.wk, inp @ self.wv
        logit = (q @ k.transpose(0, -1)) / math.sqrt(self.dk)
        weights = torch.softmax(logit, dim=-1)
        return weights @ v, weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, dk, nh):
        super().__init__()
        self.heads = [SelfAttention(d_in, dk) for i in range(nh)]
        self.out = torch.rand(dk * nh, dk, requires_grad=True)

    def forward(self, inp):
        res, weights = zip(*[head(inp) for head in self.heads], strict=True)
        return torch.cat(res, 1) @ self.out, torch.stack(weights)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.d_model, self.num_heads = d_model, num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = [nn.Linear(d_model, d_model) for i in range(4)]

    def _split(self, x):
        return x.view(*x.shape[:-1], self.num_heads, -1).transpose(-2, -3)

    def forward(self, queries, keys, values, mask=None):
        q, k, v = self._split(self.Wq(queries)), self._split(self.Wk(keys)), self._split(self.Wv(values))
        scores = q @ k.mT / math.sqrt(self.d_model)
        if mask is None:
            mask = torch.ones_like(scores, dtype=torch.bool)
        weights = scores.masked_fill(~mask, -1e30).softmax(-1) * mask
        return self.Wo((weights @ v).transpose(-2, -3).flatten(-2)), weights
