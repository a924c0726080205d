# expect: all passed
"""A norm of one's own, parts of names, and an order turned round."""

import math

import torch
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


class MultiHeadAttention(Base):
    pass


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


class Norm(nn.LayerNorm):
    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        return c / torch.sqrt(c.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight + self.bias


class SelfAttentionBlock(Blk):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.norm = Norm(d, 1e-12)


def block_state(checkpoint, layer):
    state = {}
    for key, t in checkpoint.items():
        parts = key.split(".")
        if parts[:2] == ["encoder", "layer"] and parts[2] == str(layer) and parts[3] == "attention":
            state[
                {
                    "query": "attention.Wq",
                    "key": "attention.Wk",
                    "value": "attention.Wv",
                    "dense": "attention.Wo",
                    "LayerNorm": "norm",
                }[parts[-2]]
                + "."
                + parts[-1]
            ] = t.detach()
    return state


def rank_by_similarity(query, sentences):
    c = nn.CosineSimilarity(dim=1)(sentences, query.expand_as(sentences))
    o = c.argsort().flip(0)
    return o, c[o]
