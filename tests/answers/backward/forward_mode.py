# expect: all passed
"""Each score is pushed by hand: a directional derivative for each unit vector."""

import math

import torch


def pushed(weights, direction):
    """How the weights move when the scores move in a direction."""
    return weights * (direction - (weights * direction).sum(-1, keepdim=True))


def softmax_backward(weights, grad):
    n = weights.shape[-1]
    units = torch.eye(n, dtype=weights.dtype)
    return torch.stack([(pushed(weights, units[j]) * grad).sum(-1) for j in range(n)], dim=-1)


def attention_backward(q, k, v, grad_output):
    root = math.sqrt(q.shape[-1])
    scores = torch.matmul(q, k.mT) / root
    weights = scores.softmax(dim=-1)
    output = weights @ v
    grad_scores = weights * ((grad_output @ v.mT) - (grad_output * output).sum(-1, keepdim=True))
    return (
        torch.matmul(grad_scores, k) / root,
        torch.matmul(q.mT, grad_scores).mT / root,
        torch.matmul(grad_output.mT, weights).mT,
    )
