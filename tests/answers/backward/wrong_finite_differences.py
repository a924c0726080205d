# expect: softmax_backward raised
# expect: attention_backward wrong
"""Trying instead of working out, with steps on one side; and a shape of exactly two sizes."""

import torch


def softmax_backward(weights, grad):
    n_q, n_k = weights.shape
    return weights * (grad - (weights * grad).sum(dim=1).reshape(n_q, 1).expand(n_q, n_k))


def _output(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v


def attention_backward(q, k, v, grad_output):
    found, step = [], 1e-3
    for tensor in (q, k, v):
        pushed = tensor.clone()
        gradient, before = torch.zeros_like(tensor), (_output(q, k, v) * grad_output).sum()
        inputs = [pushed if each is tensor else each for each in (q, k, v)]
        for place in range(tensor.numel()):
            pushed.view(-1)[place] += step
            gradient.view(-1)[place] = ((_output(*inputs) * grad_output).sum() - before) / step
            pushed.view(-1)[place] -= step
        found.append(gradient)
    return tuple(found)
