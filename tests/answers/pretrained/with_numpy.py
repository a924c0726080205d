# expect: all passed
"""NumPy for names and ranks; norm by hand with .data of nothing."""

import numpy as np
import torch
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
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model)
        self.norm.eps = 1e-12

    def forward(self, x, is_word):
        seen = is_word.reshape(*is_word.shape[:-1], 1, 1, is_word.shape[-1])
        found, weights = self.attention(x, x, x, seen)
        y = x + found
        y = (y - y.mean(-1, keepdim=True)) / torch.sqrt(y.var(-1, unbiased=False, keepdim=True) + self.norm.eps)
        return y * self.norm.weight + self.norm.bias, weights


def block_state(checkpoint, layer):
    swap = str.maketrans({"_": "."})
    table = np.array(
        [
            ["self_query", "attention_Wq"],
            ["self_key", "attention_Wk"],
            ["self_value", "attention_Wv"],
            ["output_dense", "attention_Wo"],
            ["output_LayerNorm", "norm"],
        ]
    )
    out = {}
    for theirs, mine in table.tolist():
        for kind in ["bias", "weight"]:
            out[".".join([mine.translate(swap), kind])] = checkpoint[
                ".".join(["encoder.layer", str(layer), "attention", theirs.translate(swap), kind])
            ]
    return out


def rank_by_similarity(query, sentences):
    q, s = query.numpy(), sentences.numpy()
    cosines = (s / np.linalg.norm(s, axis=1, keepdims=True)) @ (q / np.linalg.norm(q))
    order = np.argsort(-cosines)
    return torch.from_numpy(order), torch.from_numpy(cosines[order])
