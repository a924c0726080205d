# expect: softmax_backward wrong axis_counted_from_the_front
# expect: attention_backward wrong softmax_over_the_queries_in_both_passes
"""Axis 1, and softmax over the queries."""

import math


def softmax_backward(weights, grad):
    return weights * (grad - (weights * grad).sum(1, keepdim=True))


def attention_backward(q, k, v, grad_output):
    w = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-2)
    gs = w * (grad_output @ v.mT - (w * (grad_output @ v.mT)).sum(-2, keepdim=True)) / math.sqrt(q.shape[-1])
    return gs @ k, gs.mT @ q, w.mT @ grad_output
