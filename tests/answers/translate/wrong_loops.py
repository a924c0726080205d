# expect: shift_right wrong first_word_copied_everywhere
# expect: cross_attention wrong causal_mask_on_the_other_sentence
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
