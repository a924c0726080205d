# expect: softmax_backward wrong diagonal_only
# expect: attention_backward wrong
"""Softmax taken for a sigmoid."""

import torch


def softmax_backward(weights, grad):
    return (weights - weights**2) * grad


def attention_backward(q, k, v, grad_output):
    scale = q.shape[-1] ** 0.5
    weights = torch.softmax(q @ k.mT / scale, dim=-1)
    grad_scores = softmax_backward(weights, grad_output @ v.mT) / scale
    return grad_scores @ k, grad_scores.mT @ q, weights.mT @ grad_output
