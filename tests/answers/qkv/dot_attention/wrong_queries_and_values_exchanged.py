# expect: dot_attention wrong
# plain: for output, expected
"""The matrices for queries and for values change places."""

import torch


def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wv, inp @ wk, inp @ wq
    weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
    return weights @ v, weights
