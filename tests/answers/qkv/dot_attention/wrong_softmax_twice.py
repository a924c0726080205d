# expect: dot_attention wrong
# told: The result for weights is what was expected, put through softmax once more.
"""Softmax of the weights."""

import torch


def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    weights = torch.softmax(torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1), -1)
    return weights @ v, weights
