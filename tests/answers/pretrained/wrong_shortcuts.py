# expect: SelfAttentionBlock forbidden
# expect: block_state wrong biases_forgotten
# expect: rank_by_similarity wrong least_similar_first
"""torch's own attention in the block, matrices without biases, and the order of argsort as it comes."""

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
            each.unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)
            for each in (self.Wq(queries), self.Wk(keys), self.Wv(values))
        )
        found = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        weights = F.scaled_dot_product_attention(q, k, torch.eye(k.shape[-2], dtype=q.dtype), attn_mask=mask)
        return self.Wo(found.transpose(-3, -2).flatten(-2)), weights


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, x, is_word):
        found, weights = self.attention(x, x, x, is_word[..., None, None, :])
        return self.norm(x + found), weights


def block_state(checkpoint, layer):
    names = {"attention.Wq": "self.query", "attention.Wk": "self.key", "attention.Wv": "self.value"}
    names |= {"attention.Wo": "output.dense", "norm": "output.LayerNorm"}
    prefix = f"encoder.layer.{layer}.attention"
    return {f"{mine}.weight": checkpoint[f"{prefix}.{theirs}.weight"] for mine, theirs in names.items()}


def rank_by_similarity(query, sentences):
    cosines = torch.cosine_similarity(sentences, query.unsqueeze(0), dim=-1)
    order = torch.argsort(cosines)
    return order, cosines[order]
