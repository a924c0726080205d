# expect: dot_attention wrong
# told: Each result has the shape of the other: what comes first that of weights, what comes second that of output.
"""Weights of a causal table, and before the output."""

import torch


def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    weights = torch.softmax((q @ k.mT).tril(), -1)
    return weights, weights @ v
