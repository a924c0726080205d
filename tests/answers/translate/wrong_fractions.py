# expect: shift_right wrong
# expect: cross_attention wrong softmax_taken_twice
"""Fractions in place of the numbers of words, and softmax taken twice."""

import math

import torch.nn.functional as F


def shift_right(targets, start):
    return F.pad(targets.float(), (1, 0), value=start)[..., :-1]


def cross_attention(q, k, v):
    w = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1).softmax(-1)
    return w @ v, w
