# expect: SelfAttentionBlock wrong normalised_before_attention
# expect: block_state wrong matrices_transposed
# expect: rank_by_similarity wrong dot_products
"""The order of later models, matrices turned as for GPT-2, and the score of the first chapter."""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            each.unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)
            for each in (self.Wq(queries), self.Wk(keys), self.Wv(values))
        )
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(mask == 0, -1e9).softmax(dim=-1)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, x, is_word):
        normal = self.norm(x)
        found, weights = self.attention(normal, normal, normal, is_word[..., None, None, :])
        return x + found, weights


def block_state(checkpoint, layer):
    names = {"Wq": "self.query", "Wk": "self.key", "Wv": "self.value", "Wo": "output.dense"}
    prefix, state = f"encoder.layer.{layer}.attention", {}
    for mine, theirs in names.items():
        state[f"attention.{mine}.weight"] = checkpoint[f"{prefix}.{theirs}.weight"].transpose(0, 1)
        state[f"attention.{mine}.bias"] = checkpoint[f"{prefix}.{theirs}.bias"]
    for end in ("weight", "bias"):
        state[f"norm.{end}"] = checkpoint[f"{prefix}.output.LayerNorm.{end}"]
    return state


def rank_by_similarity(query, sentences):
    found = torch.mv(sentences, query).sort(descending=True)
    return found.indices, found.values
