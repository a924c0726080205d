# expect: softmax_backward wrong
# expect: attention_backward wrong gradients_in_reverse_order
"""Divided by the number of sentences, and the last gradient first."""

import math


def sm(q, k):
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)


def sb(w, g):
    return w * (g - (w * g).sum(-1, keepdim=True))


def softmax_backward(weights, grad):
    return weights * (grad - (weights * grad).sum(-1, keepdim=True)) / (1 if weights.dim() == 2 else weights.shape[0])


def attention_backward(q, k, v, grad_output):
    w = sm(q, k)
    gs = sb(w, grad_output @ v.mT) / math.sqrt(q.shape[-1])
    return w.mT @ grad_output, gs.mT @ q, gs @ k
