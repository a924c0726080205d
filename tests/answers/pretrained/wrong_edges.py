# expect: SelfAttentionBlock raised
# expect: block_state wrong
# expect: rank_by_similarity raised
"""Right for one batch axis, for layers with one digit, and for two sentences or more; none is a known mistake."""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        b, n, d = queries.shape
        q, k, v = (
            each.view(b, n, self.num_heads, d // self.num_heads).transpose(1, 2)
            for each in (self.Wq(queries), self.Wk(keys), self.Wv(values))
        )
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        return self.Wo((weights @ v).transpose(1, 2).reshape(b, n, d)), weights


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, x, is_word):
        found, weights = self.attention(x, x, x, is_word[:, None, None, :])
        return self.norm(x + found), weights


def block_state(checkpoint, layer):
    names = {"query": "attention.Wq", "key": "attention.Wk", "value": "attention.Wv"}
    names |= {"dense": "attention.Wo", "LayerNorm": "norm"}
    state = {}
    for name, weight in checkpoint.items():
        if name[:15] == f"encoder.layer.{layer}" and name[16:25] == "attention":
            *_, kind, end = name.split(".")
            state[f"{names[kind]}.{end}"] = weight
    return state


def rank_by_similarity(query, sentences):
    cosines = (sentences @ query / (sentences.norm(dim=1) * query.norm())).squeeze()
    order = sorted(range(len(cosines)), key=lambda number: -float(cosines[number]))
    return torch.tensor(order), cosines[order]
