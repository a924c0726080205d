# expect: all passed
"""A norm and an attention of one's own that extend others; the masks are numbers that are added; NumPy sorts."""

import numpy as np
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.Wq, self.Wk = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wv, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.num_heads = num_heads
        self.softmax = nn.Softmax(dim=-1)

    def _split(self, x):
        return x.view(*x.size()[:-1], self.num_heads, x.size(-1) // self.num_heads).movedim(-2, -3)

    def forward(self, queries, keys, values, mask):
        q, k, v = self._split(self.Wq(queries)), self._split(self.Wk(keys)), self._split(self.Wv(values))
        scores = q @ k.transpose(-1, -2)
        scores = scores / k.size(-1) ** 0.5 + mask
        weights = self.softmax(scores)
        mixed = (weights @ v).movedim(-3, -2).contiguous()
        return self.Wo(mixed.view(*mixed.size()[:-2], -1)), weights


class PaddedSelfAttention(MultiHeadAttention):
    def forward(self, x, is_word):
        added = (1.0 - is_word.to(x.dtype)) * torch.finfo(x.dtype).min
        return super().forward(x, x, x, added[..., None, None, :])


class BertNorm(nn.LayerNorm):
    def __init__(self, width):
        super().__init__(width, eps=1e-12)


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        nn.Module.__init__(self)
        self.norm = BertNorm(d_model)
        self.attention = PaddedSelfAttention(d_model, num_heads)

    def forward(self, x, is_word):
        found, weights = self.attention(x, is_word)
        return self.norm(found.add(x)), weights


def block_state(checkpoint, layer):
    ours = ["attention.Wq", "attention.Wk", "attention.Wv", "attention.Wo", "norm"]
    theirs = ["self.query", "self.key", "self.value", "output.dense", "output.LayerNorm"]
    prefix = "encoder.layer.%d.attention." % layer  # noqa: UP031
    weights = {f"{mine}.weight": checkpoint[prefix + name + ".weight"] for mine, name in zip(ours, theirs, strict=True)}
    return {**weights, **{f"{a}.bias": checkpoint[prefix + b + ".bias"] for a, b in zip(ours, theirs, strict=True)}}


def rank_by_similarity(query, sentences):
    q, s = query.numpy(), sentences.numpy()
    cosines = (s * q).sum(axis=1) / np.sqrt((s**2).sum(axis=1) * (q**2).sum())
    order = np.argsort(cosines)[::-1].copy()
    return torch.from_numpy(order), torch.from_numpy(cosines[order])
