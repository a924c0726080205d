# expect: linear_attention wrong
"""The ordinary attention, which gives a state nobody uses."""

import torch
import torch.nn.functional as F


def linear_attention(queries, keys, values, state=None):
    n = queries.shape[-2]
    scores = queries @ keys.mT / queries.shape[-1] ** 0.5
    w = scores.masked_fill(~torch.ones(n, n, dtype=torch.bool).tril(), -torch.inf).softmax(-1)
    k = F.elu(keys) + 1
    return w @ values, (k.mT @ values, k.sum(-2))
