# expect: SelfAttentionBlock raised mask_without_a_head_axis
# expect: block_state wrong last_layer_that_begins_alike
# expect: rank_by_similarity wrong ranks_instead_of_the_order
"""A mask that meets the heads, a search for a part of the name, and ranks."""

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
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(mask.logical_not(), -math.inf)
        weights = torch.softmax(scores, dim=-1)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, x, is_word):
        found, weights = self.attention(x, x, x, is_word.unsqueeze(-2))
        return self.norm(x + found), weights


def block_state(checkpoint, layer):
    names = {"self.query": "attention.Wq", "self.key": "attention.Wk", "self.value": "attention.Wv"}
    names |= {"attention.output.dense": "attention.Wo", "attention.output.LayerNorm": "norm"}
    state = {}
    for name, weight in checkpoint.items():
        for theirs, mine in names.items():
            if name.startswith(f"encoder.layer.{layer}") and theirs in name:
                state[f"{mine}.{name.rpartition('.')[2]}"] = weight
    return state


def rank_by_similarity(query, sentences):
    cosines = torch.cosine_similarity(sentences, query[None], dim=-1)
    return torch.argsort(torch.argsort(cosines, descending=True)), cosines.sort(descending=True).values
