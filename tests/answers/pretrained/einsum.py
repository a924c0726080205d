# expect: all passed
"""einsum with a letter for every axis, the norm by hand on registered weights, names cut out of the checkpoint's."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = num_heads
        for name in ("Wo", "Wv", "Wk", "Wq"):
            layer = nn.Linear(d_model, d_model)
            nn.init.xavier_uniform_(layer.weight)
            setattr(self, name, layer)

    def forward(self, q, k, v, mask=None):
        q, k, v = (layer(x).unflatten(-1, (self.heads, -1)) for layer, x in ((self.Wq, q), (self.Wk, k), (self.Wv, v)))
        scores = torch.einsum("...qhd,...khd->...hqk", q, k) * q.size(-1) ** -0.5
        if mask is not None:
            scores = torch.where(mask, scores, -1e30)
        weights = scores.softmax(-1)
        return self.Wo(torch.einsum("...hqk,...khd->...qhd", weights, v).flatten(-2)), weights


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x, is_word):
        found, weights = self.attention(x, x, x, is_word.unsqueeze(-2).unsqueeze(-3))
        y = x + found
        y = y - y.mean(-1, keepdim=True)
        y = y / torch.sqrt(y.pow(2).mean(-1, keepdim=True) + 1e-12)
        return self.norm.weight * y + self.norm.bias, weights


def block_state(checkpoint, layer):
    start, state = f"encoder.layer.{layer}.attention.", {}
    for name in sorted(checkpoint):
        if name.startswith(start):
            short = name[len(start) :]
            for theirs, mine in (("self.query", "attention.Wq"), ("self.key", "attention.Wk")):
                short = short.replace(theirs, mine)
            short = short.replace("self.value", "attention.Wv").replace("output.dense", "attention.Wo")
            state[short.replace("output.LayerNorm", "norm")] = checkpoint[name].clone()
    return state


def rank_by_similarity(query, sentences):
    cosines = torch.einsum("nd,d->n", sentences, query)
    cosines = cosines / torch.sqrt(torch.einsum("nd,nd->n", sentences, sentences) * torch.einsum("d,d->", query, query))
    similarities, order = torch.sort(cosines, descending=True)
    return order, similarities
