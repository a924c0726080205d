# expect: all passed
"""One number at a time, in fresh tensors, for one table after the other."""

import math

import torch


def softmax_backward(weights, grad):
    flat_weights, flat_grad = weights.reshape(-1, weights.shape[-1]), grad.reshape(-1, grad.shape[-1])
    result = torch.zeros_like(flat_weights)
    for row, (w, g) in enumerate(zip(flat_weights.tolist(), flat_grad.tolist(), strict=True)):
        for j in range(len(w)):
            for i in range(len(w)):
                result[row, j] += g[i] * w[i] * ((i == j) - w[j])
    return result.reshape(weights.shape)


def _one_table(q, k, v, grad_output):
    scores = (q @ k.t()) / math.sqrt(q.size(1))
    weights = scores.softmax(dim=1)
    grad_q, grad_k, grad_v = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(q.size(0)):
        grad_weights = torch.stack([torch.dot(grad_output[i], v[j]) for j in range(k.size(0))])
        average = torch.dot(weights[i], grad_weights)
        for j in range(k.size(0)):
            grad_v[j] += weights[i, j] * grad_output[i]
            pull = weights[i, j] * (grad_weights[j] - average) / math.sqrt(q.size(1))
            grad_q[i] += pull * k[j]
            grad_k[j] += pull * q[i]
    return grad_q, grad_k, grad_v


def attention_backward(q, k, v, grad_output):
    batch = q.shape[:-2]
    flat = [tensor.reshape(-1, *tensor.shape[-2:]) for tensor in (q, k, v, grad_output)]
    tables = [_one_table(*table) for table in zip(*flat, strict=True)]
    return [torch.stack(each).reshape(*batch, *each[0].shape) for each in zip(*tables, strict=True)]
