# expect: SelfAttentionBlock wrong
# expect: block_state wrong half_precision
# expect: rank_by_similarity wrong
"""A fill of -100, weights in half precision, and the ten best."""

import math

import torch.nn.functional as F
from torch import nn


class Base(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def split(self, x):
        return x.unflatten(-1, (self.h, -1)).transpose(-2, -3)

    def merge(self, x):
        return x.transpose(-2, -3).flatten(-2)

    def scale(self):
        return math.sqrt(self.Wq.out_features / self.h)

    def soft(self, s, mask):
        if mask is not None:
            s = s.masked_fill(~mask, -math.inf)
        return s.softmax(-1)

    def forward(self, queries, keys, values, mask=None):
        q, k, v = self.split(self.Wq(queries)), self.split(self.Wk(keys)), self.split(self.Wv(values))
        w = self.soft(q @ k.mT / self.scale(), mask)
        return self.Wo(self.merge(w @ v)), w


class Blk(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)

    def mask(self, m):
        return m[..., None, None, :]

    def forward(self, x, is_word):
        f, w = self.attention(x, x, x, self.mask(is_word))
        return self.norm(x + f), w


N = {
    "attention.Wq": "self.query",
    "attention.Wk": "self.key",
    "attention.Wv": "self.value",
    "attention.Wo": "output.dense",
    "norm": "output.LayerNorm",
}


def st(c, layer, n=N, ends=("weight", "bias"), pre="encoder.layer.{}.attention."):
    return {f"{m}.{e}": c[pre.format(layer) + f"{t}.{e}"] for m, t in n.items() for e in ends}


class MultiHeadAttention(Base):
    def soft(self, s, mask):
        return s.masked_fill(~mask, -100).softmax(-1)


class SelfAttentionBlock(Blk):
    pass


def block_state(c, layer):
    return {k: v.half() for k, v in st(c, layer).items()}


def rank_by_similarity(q, s):
    t = F.cosine_similarity(q[None], s).topk(min(10, len(s)))
    return t.indices, t.values
