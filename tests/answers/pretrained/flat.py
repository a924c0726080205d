# expect: all passed
"""All batches as one, tensors found by a search, and a selection sort."""

import math
import re

import torch
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


class SelfAttentionBlock(Blk):
    def forward(self, x, is_word):
        *b, n, d = x.shape
        y = x.reshape(-1, n, d)
        m = is_word.reshape(-1, 1, 1, n)
        f, w = self.attention(y, y, y, m)
        return F.layer_norm(y + f, (d,), self.norm.weight, self.norm.bias, 1e-12).view(x.shape), w.view(
            *b, *w.shape[1:]
        )


def block_state(checkpoint, layer):
    pat = re.compile(
        rf"^encoder\.layer\.{layer}\.attention\.(self\.query|self\.key|self\.value|output\.dense|output\.LayerNorm)\.(weight|bias)$"
    )
    names = dict(
        zip(
            ("self.query", "self.key", "self.value", "output.dense", "output.LayerNorm"),
            ("attention.Wq", "attention.Wk", "attention.Wv", "attention.Wo", "norm"),
            strict=False,
        )
    )
    return {f"{names[m[1]]}.{m[2]}": w for n, w in checkpoint.items() if (m := pat.match(n))}


def rank_by_similarity(query, sentences):
    c = torch.stack([torch.dot(query, s) / (torch.linalg.norm(query) * torch.linalg.norm(s)) for s in sentences])

    def pick(left):
        if not left:
            return []
        b = max(left, key=lambda i: c[i].item())
        return [b, *pick([i for i in left if i != b])]

    o = torch.LongTensor(pick(list(range(len(c)))))
    return o, c.index_select(0, o)
