# expect: shift_right unattempted
# expect: cross_attention forbidden
# expect: Translator raised
# like: wrong_ideas.py
"""Attention by torch's own, and nothing shifted yet."""

import torch
from torch.nn.functional import scaled_dot_product_attention as attend


def shift_right(targets, start):
    # TODO: your code here, in place of the next line.
    raise NotImplementedError


def cross_attention(queries, keys, values):
    return attend(queries, keys, values), attend(queries, keys, torch.eye(keys.shape[-2]))
