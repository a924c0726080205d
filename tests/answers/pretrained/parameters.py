# expect: all passed
"""F.linear on the layers' weights, functional norm, flattened batches with bmm, and state by split names."""

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        layers = {name: nn.Linear(d_model, d_model, bias=True) for name in ["Wk", "Wo", "Wq", "Wv"]}
        for name, layer in layers.items():
            self.add_module(name, layer)
        self.register_buffer("scale", torch.tensor(float(d_model // num_heads) ** -0.5), persistent=False)
        self.h = num_heads

    def forward(self, x, y, z, hidden):
        def project(layer, tokens):
            out = F.linear(tokens, layer.weight, layer.bias)
            b, n, d = out.shape
            return out.view(b, n, self.h, d // self.h).permute(0, 2, 1, 3).reshape(b * self.h, n, d // self.h)

        q, k, v = project(self.Wq, x), project(self.Wk, y), project(self.Wv, z)
        scores = torch.bmm(q * self.scale.to(q.dtype), k.transpose(1, 2))
        scores = scores.masked_fill(hidden.repeat_interleave(self.h, dim=0), -1e15)
        weights = torch.exp(scores - scores.logsumexp(dim=2, keepdim=True))
        found = torch.bmm(weights, v).view(x.shape[0], self.h, x.shape[1], -1).permute(0, 2, 1, 3).flatten(2)
        return self.Wo(found), weights.view(x.shape[0], self.h, *weights.shape[1:])


class SelfAttentionBlock(nn.Module):
    EPS = 1e-12

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model=d_model, num_heads=num_heads)
        self.norm = nn.LayerNorm(d_model, eps=self.EPS)

    def forward(self, x, is_word):
        batch = x.shape[:-2]
        flat, hidden = x.reshape(-1, *x.shape[-2:]), is_word.reshape(-1, 1, x.shape[-2]) == 0
        found, weights = self.attention(flat, flat, flat, hidden)
        found, weights = found.reshape(x.shape), weights.reshape(*batch, *weights.shape[1:])
        return F.layer_norm(x + found, x.shape[-1:], self.norm.weight, self.norm.bias, self.EPS), weights


def block_state(checkpoint, layer):
    wanted = ["encoder", "layer", str(layer), "attention"]
    names = {"query": "Wq", "key": "Wk", "value": "Wv", "dense": "Wo"}
    state = {}
    for name, weight in checkpoint.items():
        parts = name.split(".")
        if parts[:4] == wanted:
            _, kind, end = parts[4:]
            state[f"norm.{end}" if kind == "LayerNorm" else f"attention.{names[kind]}.{end}"] = weight
    return state


def rank_by_similarity(query, sentences):
    cosines = F.normalize(sentences, dim=1) @ F.normalize(query, dim=0)
    best = cosines.topk(len(cosines))
    return best.indices, best.values
