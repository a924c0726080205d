# expect: shift_right wrong copied_from_what_was_copied
# expect: cross_attention wrong words_behind_hidden
"""A loop that copies what it has copied, and a causal mask."""

import math

import torch


def shift_right(targets, start):
    r = targets.clone()
    for i in range(1, r.shape[-1]):
        r[..., i] = r[..., i - 1]
    r[..., 0] = start
    return r


def cross_attention(q, k, v):
    s = q @ k.mT / math.sqrt(q.shape[-1])
    s = s.masked_fill(~torch.ones_like(s, dtype=torch.bool).tril(), -1e9)
    w = s.softmax(-1)
    return w @ v, w
