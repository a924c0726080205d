# expect: shift_right wrong rolled
# expect: cross_attention wrong weights_detached
# expect: Translator raised
# like: wrong_ideas.py
"""The last word comes round to the front, and attention never learns where to look."""

import math

import torch


def shift_right(targets, start):
    return targets.roll(1, -1)


def cross_attention(queries, keys, values):
    weights = torch.softmax(queries @ keys.mT / math.sqrt(keys.shape[-1]), dim=-1)
    return weights.detach() @ values, weights
