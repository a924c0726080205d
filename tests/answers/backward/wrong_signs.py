# expect: softmax_backward wrong
# expect: attention_backward wrong
"""Nobody listed these: the gradient of the logarithm of softmax, and a row too far."""

import torch


def softmax_backward(weights, grad):
    return grad - weights * grad.sum(dim=-1, keepdim=True)


def attention_backward(q, k, v, grad_output):
    scale = q.shape[-1] ** 0.5
    weights = torch.softmax(q @ k.mT / scale, dim=-1)
    dw = (grad_output @ v.mT).roll(1, dims=-1)
    ds = weights * (dw - (weights * dw).sum(-1, keepdim=True)) / scale
    return ds @ k, ds.mT @ q, weights.mT @ grad_output
