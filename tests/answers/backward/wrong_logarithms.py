# expect: softmax_backward wrong gradient_of_log_softmax
# expect: attention_backward wrong queries_not_scaled
"""The gradient of log-softmax; and queries that were scaled before they were used."""

import math


def sb(w, g):
    return w * (g - (w * g).sum(-1, keepdim=True))


def softmax_backward(weights, grad):
    return grad - weights * grad.sum(-1, keepdim=True)


def attention_backward(q, k, v, grad_output):
    qs = q / math.sqrt(q.shape[-1])
    w = (qs @ k.mT).softmax(-1)
    gs = sb(w, grad_output @ v.mT)
    return gs @ k, gs.mT @ qs, w.mT @ grad_output
