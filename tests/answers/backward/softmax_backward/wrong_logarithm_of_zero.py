# expect: softmax_backward wrong zero_weight_gives_nan
"""By the logarithm of the weights: zero weights become nan."""

import torch


def softmax_backward(weights, grad):
    inner = (weights * grad).sum(-1, keepdim=True)
    return torch.exp(torch.log(weights)) * (grad - inner) + 0 * torch.log(weights)
