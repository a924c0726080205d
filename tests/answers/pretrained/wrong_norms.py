# expect: SelfAttentionBlock wrong eps_of_torch
# expect: block_state wrong norm_of_the_feed_forward_part
# expect: rank_by_similarity wrong norms_of_columns
"""torch's own eps, the other norm of the layer, and lengths along the wrong axis."""

import math

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
        weights = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -math.inf).softmax(dim=-1)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x, is_word):
        found, weights = self.attention(x, x, x, is_word[..., None, None, :])
        return self.norm(x + found), weights


def block_state(checkpoint, layer):
    prefix, state = f"encoder.layer.{layer}", {}
    names = {"Wq": "self.query", "Wk": "self.key", "Wv": "self.value", "Wo": "output.dense"}
    for end in ("weight", "bias"):
        for mine, theirs in names.items():
            state[f"attention.{mine}.{end}"] = checkpoint[f"{prefix}.attention.{theirs}.{end}"]
        state[f"norm.{end}"] = checkpoint[f"{prefix}.output.LayerNorm.{end}"]
    return state


def rank_by_similarity(query, sentences):
    unit = sentences / sentences.pow(2).sum(dim=0).sqrt()
    cosines = unit @ query / query.norm()
    return cosines.argsort(descending=True), cosines.sort(descending=True)[0]
