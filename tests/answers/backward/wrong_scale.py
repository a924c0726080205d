# expect: softmax_backward wrong one_average_for_the_whole_matrix
# expect: attention_backward wrong not_scaled_in_the_backward_pass
"""A sum without an axis; a scale that is used on the way forward only."""

import math

import torch


def softmax_backward(weights, grad):
    return weights * grad - weights * torch.sum(weights * grad)


def attention_backward(q, k, v, grad_output):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)
    dw = grad_output @ v.transpose(-2, -1)
    ds = weights * (dw - (weights * dw).sum(dim=-1, keepdim=True))
    return ds @ k, ds.transpose(-2, -1) @ q, weights.transpose(-2, -1) @ grad_output
