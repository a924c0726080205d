# expect: dot_attention wrong
# told: A row of the result `weights` sums to
"""The logarithm of softmax."""

import torch


def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    weights = torch.log_softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
    return weights.exp() @ v, weights
