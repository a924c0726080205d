# expect: all passed
"""A decorator adds and normalises; regular expressions find the names."""

import functools
import re

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            w(x).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)
            for w, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        )
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e30)
        weights = scores.softmax(-1)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights


def added_and_normalised(function):
    @functools.wraps(function)
    def inner(self, x, is_word):
        found, weights = function(self, x, is_word)
        return F.layer_norm(x + found, self.norm.normalized_shape, self.norm.weight, self.norm.bias, 1e-12), weights

    return inner


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.add_module("norm", nn.LayerNorm(d_model, 1e-12))
        self.add_module("attention", MultiHeadAttention(d_model, num_heads))

    @added_and_normalised
    def forward(self, x, is_word):
        return self.attention(x, x, x, is_word.unsqueeze(-2).unsqueeze(-2))


def block_state(checkpoint, layer):
    pattern = re.compile(r"encoder\.layer\.(\d+)\.attention\.(self|output)\.(\w+)\.(weight|bias)")
    mine = {"query": "attention.Wq", "key": "attention.Wk", "value": "attention.Wv", "dense": "attention.Wo"}
    found = {}
    for name, weight in checkpoint.items():
        match = pattern.fullmatch(name)
        if match and int(match[1]) == layer:
            found[f"{mine.get(match[3], 'norm')}.{match[4]}"] = weight
    return found


def rank_by_similarity(query, sentences):
    cosines = F.cosine_similarity(sentences, query.unsqueeze(0), dim=-1)
    similarities, order = torch.sort(cosines, descending=True)
    return order, similarities
