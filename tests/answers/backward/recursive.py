# expect: all passed
"""Batches taken apart one by one."""

import math

import torch


def sm(q, k):
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)


def sb(w, g):
    return w * (g - (w * g).sum(-1, keepdim=True))


def softmax_backward(weights, grad):
    if weights.ndim > 1:
        return torch.stack([softmax_backward(a, b) for a, b in zip(weights, grad, strict=False)])
    return weights * grad - weights * weights.dot(grad)


def attention_backward(q, k, v, grad_output):
    if q.ndim > 2:
        return tuple(
            torch.stack(x)
            for x in zip(*(attention_backward(*t) for t in zip(q, k, v, grad_output, strict=False)), strict=False)
        )
    w = sm(q, k)
    gs = sb(w, grad_output @ v.T) / math.sqrt(q.shape[1])
    return gs.mm(k), gs.t().mm(q), w.t().mm(grad_output)
