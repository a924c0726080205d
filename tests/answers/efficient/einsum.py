# expect: all passed
"""Everything by einsum; the heads of a group as an axis of their own."""

import torch
from torch import nn


class KeyValueCache:
    pair = None

    def append(self, new_keys, new_values):
        if self.pair is None:
            self.pair = new_keys, new_values
        else:
            self.pair = tuple(torch.cat(both, -2) for both in zip(self.pair, (new_keys, new_values), strict=True))
        return self.pair


class GroupedQueryAttention(nn.Module):
    def __init__(self, width, heads, shared):
        super().__init__()
        size = width // heads
        self.shape = shared, heads // shared, size
        for name, out in (("Wk", shared * size), ("Wq", width), ("Wv", shared * size), ("Wo", width)):
            self.add_module(name, nn.Linear(width, out))
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, y, z, mask=None):
        shared, group, size = self.shape
        q = self.Wq(x).reshape(*x.shape[:-1], shared, group, size)
        k = self.Wk(y).reshape(*y.shape[:-1], shared, size)
        v = self.Wv(z).reshape(*z.shape[:-1], shared, size)
        scores = torch.einsum("...qsgd,...ksd->...sgqk", q, k) / size**0.5
        scores = scores.flatten(-4, -3)
        if mask is not None:
            scores = scores + torch.zeros_like(scores).masked_fill(mask.logical_not(), float("-inf"))
        weights = torch.softmax(scores, -1)
        grouped = self.dropout(weights).unflatten(-3, (shared, group))
        mixed = torch.einsum("...sgqk,...ksd->...qsgd", grouped, v)
        return self.Wo(mixed.flatten(-3)), weights


def sliding_window_mask(n, window):
    ones = torch.ones(n, n, dtype=torch.bool)
    return torch.tril(ones) & torch.triu(ones, diagonal=1 - window)


def online_softmax_attention(q, k, v, block_size):
    scale = q.size(-1) ** -0.5
    top = total = mixed = None
    for keys, values in zip(torch.split(k, block_size, -2), torch.split(v, block_size, -2), strict=True):
        scores = torch.einsum("...qd,...kd->...qk", q, keys) * scale
        highest = scores.detach().amax(-1, True)
        if top is None:
            weights = (scores - highest).exp()
            top, total = highest, weights.sum(-1, True)
            mixed = torch.einsum("...qk,...kd->...qd", weights, values)
            continue
        new = torch.max(top, highest)
        weights, shrink = (scores - new).exp(), (top - new).exp()
        total = total * shrink + weights.sum(-1, True)
        mixed = mixed * shrink + torch.einsum("...qk,...kd->...qd", weights, values)
        top = new
    return mixed / total
