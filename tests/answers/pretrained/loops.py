# expect: all passed
"""Sentence by sentence, head by head, and a list where a tuple is named."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.Wq, self.Wk, self.Wv, self.Wo = [nn.Linear(d_model, d_model) for _ in range(4)]
        self.width = d_model // num_heads

    def forward(self, queries, keys, values, mask=None):
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        results, tables = [], []
        for start in range(0, q.shape[-1], self.width):
            part = slice(start, start + self.width)
            scores = torch.matmul(q[:, part], k[:, part].t()) / math.sqrt(self.width)
            scores[:, ~mask] = float("-inf")
            tables.append(F.softmax(scores, dim=1))
            results.append(torch.matmul(tables[-1], v[:, part]))
        return self.Wo(torch.cat(results, dim=1)), torch.stack(tables)


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, 1e-12)
        self.attention = MultiHeadAttention(d_model, num_heads)

    def forward(self, x, is_word):
        if x.dim() > 2:
            results = [self.forward(sentence, words) for sentence, words in zip(x, is_word, strict=True)]
            return [torch.stack(each) for each in zip(*results, strict=True)]
        found, weights = self.attention(x, x, x, is_word)
        return [self.norm(found + x), weights]


def block_state(checkpoint, layer):
    state = {}
    for end in ["weight", "bias"]:
        start = "encoder.layer." + str(layer) + ".attention."
        state["attention.Wq." + end] = checkpoint[start + "self.query." + end]
        state["attention.Wk." + end] = checkpoint[start + "self.key." + end]
        state["attention.Wv." + end] = checkpoint[start + "self.value." + end]
        state["attention.Wo." + end] = checkpoint[start + "output.dense." + end]
        state["norm." + end] = checkpoint[start + "output.LayerNorm." + end]
    return state


def rank_by_similarity(query, sentences):
    cosines = []
    for number, sentence in enumerate(sentences):
        dot = sum(a * b for a, b in zip(query.tolist(), sentence.tolist(), strict=True))
        cosines.append((dot / math.hypot(*query.tolist()) / math.hypot(*sentence.tolist()), number))
    cosines.sort(reverse=True)
    return [torch.tensor([number for _, number in cosines]), torch.tensor([cosine for cosine, _ in cosines])]
