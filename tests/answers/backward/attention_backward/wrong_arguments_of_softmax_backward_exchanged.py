# expect: attention_backward wrong
# told: The numbers in `grad_v` are correct in every call, but those in `grad_q` and `grad_k` are not.
import math

import torch


def softmax_backward(weights, grad):
    return weights * (grad - (weights * grad).sum(dim=-1, keepdim=True))


def attention_backward(q, k, v, grad_output):
    scale = 1 / math.sqrt(q.shape[-1])
    weights = torch.softmax(q @ k.mT * scale, dim=-1)
    grad_products = softmax_backward(grad_output @ v.mT, weights) * scale
    return grad_products @ k, grad_products.mT @ q, weights.mT @ grad_output
