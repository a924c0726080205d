# expect: sliding_window_mask wrong diagonal_left_out
# expect: online_softmax_attention wrong own_maximum_for_each_block
"""One maximum for each block, and no word at all."""

import math

import torch


def sliding_window_mask(n, window):
    d = torch.arange(n)[:, None] - torch.arange(n)
    return (d > 0) & (d < window)


def online_softmax_attention(q, k, v, block_size):
    total = 0
    o = 0
    for j in range(0, k.shape[-2], block_size):
        s = q @ k[..., j : j + block_size, :].mT / math.sqrt(q.shape[-1])
        p = (s - s.amax(-1, True)).exp()
        total, o = total + p.sum(-1, True), o + p @ v[..., j : j + block_size, :]
    return o / total
