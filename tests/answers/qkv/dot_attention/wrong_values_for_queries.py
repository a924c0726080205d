# expect: dot_attention wrong
# told: `dot_attention` never reads its argument `wq`
"""The queries are made with the matrix for values."""

import torch


def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wv, inp @ wk, inp @ wv
    weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
    return weights @ v, weights
