# expect: all passed
"""Rows of the table come from a generator, and sums of outer products grow."""

import math

import torch


def softmax_backward(weights, grad):
    rows = []
    for w, g in zip(weights.unbind(-2), grad.unbind(-2)):
        mean = (w * g).sum(dim=-1, keepdim=True)
        rows.append(w * (g - mean))
    return torch.stack(rows, dim=-2)


def rows(q, k):
    for i in range(q.shape[-2]):
        score = (k @ q[..., i, :, None]).squeeze(-1) / math.sqrt(q.shape[-1])
        yield i, torch.exp(score - score.logsumexp(-1, keepdim=True))


def attention_backward(q, k, v, grad_output):
    grad_q, grad_k, grad_v = [], torch.zeros_like(k), torch.zeros_like(v)
    for i, w in rows(q, k):
        g = grad_output[..., i, :]
        grad_v += w.unsqueeze(-1) * g.unsqueeze(-2)
        back = (v @ g.unsqueeze(-1)).squeeze(-1)
        s = w * (back - (w * back).sum(-1, keepdim=True)) / math.sqrt(q.shape[-1])
        grad_q.append((s.unsqueeze(-1) * k).sum(-2))
        grad_k += s.unsqueeze(-1) * q[..., i, None, :]
    return torch.stack(grad_q, -2), grad_k, grad_v
