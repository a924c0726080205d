# expect: dot_attention wrong
# plain: returned shape (6, 6) for output, expected shape (6, 2)
"""Weights of a causal table, and before the output."""

import torch


def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    weights = torch.softmax((q @ k.mT).tril(), -1)
    return weights, weights @ v
