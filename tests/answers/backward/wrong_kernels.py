# expect: softmax_backward forbidden
# expect: attention_backward forbidden
"""What autograd itself calls, and what is made of autograd."""

import torch
from torch.func import vjp


def softmax_backward(weights, grad):
    return torch._softmax_backward_data(grad, weights, -1, weights.dtype)


def attention(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v


def attention_backward(q, k, v, grad_output):
    _, back = vjp(attention, q, k, v)
    return back(grad_output)
