# expect: softmax_backward forbidden
# expect: attention_backward forbidden
"""Autograd, by two of its names."""

import torch


def softmax_backward(weights, grad):
    scores = weights.log().requires_grad_()
    return torch.autograd.grad(torch.softmax(scores, dim=-1), scores, grad)[0]


def attention_backward(q, k, v, grad_output):
    q, k, v = (torch.nn.Parameter(x.clone()) for x in (q, k, v))
    weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
    (weights @ v).backward(grad_output)
    return q.grad, k.grad, v.grad
