# expect: all passed
"""Einstein's way, hidden scores filled with -inf and NaN cleaned up behind it."""

import torch
import torch.nn as nn
from torch import einsum


def split_heads(x, num_heads):
    width, rest = divmod(x.size(-1), num_heads)
    if rest:
        raise ValueError("the heads would be of different widths")
    return einsum("...nhd->...hnd", x.unflatten(-1, (num_heads, width)))


def merge_heads(x):
    return einsum("...hnd->...nhd", x).flatten(-2)


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wv = nn.Parameter(torch.empty(d_in, d_k).normal_())
        self.wk = nn.Parameter(torch.empty(d_in, d_k).normal_())
        self.wq = nn.Parameter(torch.empty(d_in, d_k).normal_())

    def forward(self, x):
        q, k, v = (einsum("...nd,dk->...nk", x, w) for w in (self.wq, self.wk, self.wv))
        w = (einsum("...ik,...jk->...ij", q, k) * k.size(-1) ** -0.5).softmax(-1)
        return einsum("...ij,...jk->...ik", w, v), w


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.out = nn.Parameter(nn.init.xavier_uniform_(torch.empty(num_heads * d_k, d_k)))
        self.heads = nn.ModuleList([Head(d_in, d_k) for _ in range(num_heads)])

    def forward(self, x):
        outputs, weights = [], []
        for head in self.heads:
            o, w = head(x)
            outputs.append(o)
            weights.append(w)
        return [einsum("...k,kd->...d", torch.cat(outputs, -1), self.out), torch.stack(weights, -3)]


class MultiHeadAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        if width % heads != 0:
            raise ValueError(f"{width} is not a multiple of {heads}")
        self.heads = heads
        self.Wo, self.Wv, self.Wk, self.Wq = (nn.Linear(width, width) for _ in "ovkq")

    def forward(self, q, k, v, mask=None):
        q, k, v = (split_heads(layer(x), self.heads) for layer, x in ((self.Wq, q), (self.Wk, k), (self.Wv, v)))
        scores = einsum("...hid,...hjd->...hij", q, k) * q.shape[-1] ** -0.5
        if mask is not None:
            scores = torch.where(mask, scores, -torch.inf)
        weights = torch.nan_to_num(scores.softmax(-1))
        return [self.Wo(merge_heads(einsum("...hij,...hjd->...hid", weights, v))), weights]
