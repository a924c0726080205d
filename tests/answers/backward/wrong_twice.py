# expect: softmax_backward wrong
# expect: attention_backward wrong keys_scaled_twice
"""The scale of softmax's width, and keys scaled twice."""

import math


def sb(w, g):
    return w * (g - (w * g).sum(-1, keepdim=True))


def softmax_backward(weights, grad):
    return weights * (grad - (weights * grad).sum(-1, keepdim=True)) / math.sqrt(weights.shape[-1])


def attention_backward(q, k, v, grad_output):
    r = math.sqrt(q.shape[-1])
    qs = q / r
    w = (qs @ k.mT).softmax(-1)
    gs = sb(w, grad_output @ v.mT) / r
    return gs @ k, gs.mT @ qs, w.mT @ grad_output
