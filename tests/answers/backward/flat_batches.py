# expect: all passed
"""Batches are flattened, bmm does the products, and a class holds the steps."""

import math

import torch


class Attention:
    def __init__(self, q, k, v):
        self.front = q.shape[:-2]
        self.q, self.k, self.v = (x.reshape(-1, *x.shape[-2:]) for x in (q, k, v))
        self.root = math.sqrt(q.shape[-1])
        scores = torch.bmm(self.q, self.k.transpose(1, 2)) / self.root
        powers = torch.exp(scores - scores.amax(2, keepdim=True))
        self.weights = powers / powers.sum(2, keepdim=True)

    def backward_pass(self, grad):
        grad = grad.reshape(-1, *grad.shape[-2:])
        scores = softmax_backward(self.weights, torch.bmm(grad, self.v.transpose(1, 2))).div(self.root)
        found = scores.bmm(self.k), scores.transpose(1, 2).bmm(self.q), self.weights.transpose(1, 2).bmm(grad)
        return tuple(x.reshape(*self.front, *x.shape[1:]) for x in found)


def softmax_backward(weights, grad):
    flat_w, flat_g = weights.reshape(-1, weights.shape[-1]), grad.reshape(-1, grad.shape[-1])
    average = torch.bmm(flat_w.unsqueeze(1), flat_g.unsqueeze(2)).squeeze(2)
    return (flat_w * (flat_g - average)).reshape(weights.shape)


def attention_backward(q, k, v, grad_output):
    return Attention(q, k, v).backward_pass(grad_output)
