# expect: all passed
"""Sentences are flattened; where and arange for the shift; bmm for attention."""

import torch


def shift_right(targets, start):
    n = targets.shape[-1]
    before = targets.index_select(-1, torch.arange(n).sub(1).clamp(min=0))
    return torch.where(torch.arange(n) == 0, torch.tensor(start), before)


def cross_attention(queries, keys, values):
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (queries, keys, values))
    weights = torch.bmm(q, k.transpose(1, 2)).mul(q.shape[2] ** -0.5).softmax(dim=2)
    context = torch.bmm(weights, v)
    front = queries.shape[:-1]
    return context.reshape(*front, v.shape[2]), weights.reshape(*front, k.shape[1])
