# expect: all passed
"""A generator of names; attention in log space; cosines one by one."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.width = d_model // num_heads
        for name in ("Wo", "Wv", "Wk", "Wq"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def heads(self, q, k, v, mask):
        for q, k, v in zip(*(x.split(self.width, -1) for x in (self.Wq(q), self.Wk(k), self.Wv(v)))):
            scores = q @ k.transpose(-2, -1) / self.width**0.5 + mask
            weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
            yield weights @ v, weights

    def forward(self, queries, keys, values, mask):
        outputs, weights = zip(*self.heads(queries, keys, values, mask))
        return self.Wo(torch.cat(outputs, -1)), torch.stack(weights, -3)


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.norm, self.attention = nn.LayerNorm(d_model, eps=1e-12), MultiHeadAttention(d_model, num_heads)

    def forward(self, x, is_word):
        hidden = torch.log(is_word.to(x.dtype)).unsqueeze(-2)
        output, weights = self.attention(x, x, x, hidden)
        return self.norm(output.add(x)), weights


def names(layer):
    parts = dict(Wq="self.query", Wk="self.key", Wv="self.value", Wo="output.dense")
    for end in "weight", "bias":
        for mine, theirs in parts.items():
            yield f"attention.{mine}.{end}", f"encoder.layer.{layer}.attention.{theirs}.{end}"
        yield f"norm.{end}", f"encoder.layer.{layer}.attention.output.LayerNorm.{end}"


def block_state(checkpoint, layer):
    state = {}
    for mine, theirs in names(layer):
        state[mine] = checkpoint[theirs].clone()
    return state


def rank_by_similarity(query, sentences):
    cosines = [torch.dot(s, query) / (torch.linalg.vector_norm(s) * torch.linalg.vector_norm(query)) for s in sentences]
    order = sorted(range(len(cosines)), key=lambda i: cosines[i].item(), reverse=True)
    return torch.tensor(order), torch.stack([cosines[i] for i in order])
