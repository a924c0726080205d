# expect: softmax_backward wrong small_weights_set_to_zero
"""A threshold of small weights."""

import torch


def softmax_backward(weights, grad):
    weights = torch.where(weights < 1e-3, torch.zeros_like(weights), weights)
    return weights * (grad - (weights * grad).sum(-1, keepdim=True))
