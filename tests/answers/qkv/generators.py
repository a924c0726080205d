# expect: all passed
"""Queries one by one from a generator; softmax written out with amax and a detached maximum."""

import torch
from torch import nn


def project_qkv(inp, wq, wk, wv):
    return (*(sum(inp[..., i, None] * w[i] for i in range(w.shape[0])) for w in (wq, wk, wv)),)


def rows(q, k, mask=None):
    for i in range(q.shape[-2]):
        score = (q[..., i : i + 1, :] * k).sum(-1) / k.shape[-1] ** 0.5
        if mask is None:
            power = torch.exp(score - score.detach().amax(-1, keepdim=True))
            yield power / power.sum(-1, keepdim=True)
        else:
            seen = mask[..., i, :]
            top = score.detach().masked_fill(~seen, -1e37).amax(-1, keepdim=True)
            power = torch.exp((score - top).masked_fill(~seen, -1e37)) * seen
            total = power.sum(-1, keepdim=True)
            yield power / torch.where(total == 0, 1, total)


def attend(q, k, v, mask=None):
    weights = torch.stack(list(rows(q, k, mask)), dim=-2)
    return (weights.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2), weights


def dot_attention(inp, wq, wk, wv):
    return attend(*project_qkv(inp, wq, wk, wv))


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        if mask is not None:
            mask = torch.broadcast_to(mask, (*queries.shape[:-1], keys.shape[-2]))
        return attend(queries, keys, values, mask)


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        nn.Module.__init__(self)
        self.wq, self.wk, self.wv = (nn.Parameter(w) for w in torch.randn(3, d_in, d_k).unbind())

    def forward(self, inp):
        return attend(*project_qkv(inp, self.wq, self.wk, self.wv))


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        names = iter(["Wk", "Wv", "Wq"])
        for name in names:
            self.__setattr__(name, nn.Linear(num_in_features, num_out_features))

    def forward(self, queries, keys, values):
        return attend(self.Wq(queries), self.Wk(keys), self.Wv(values))
