# expect: all passed
"""One module extends the other; weights are made in a loop and used through `F.linear`."""

import torch
from torch import nn
from torch.nn import functional as F


def project_qkv(inp, *matrices):
    return tuple(F.linear(inp, matrix.T) for matrix in matrices)


class Scores(nn.Module):
    def forward(self, queries, keys):
        return queries.matmul(keys.swapaxes(-2, -1)).mul(keys.shape[-1] ** -0.5)


class DotProductAttention(Scores):
    def forward(self, queries, keys, values, mask=None):
        scores = super().forward(queries, keys)
        if mask is not None:
            scores = scores + torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -1e20)
        weights = nn.Softmax(dim=-1)(scores)
        if mask is not None:
            weights = torch.where(mask, weights, torch.zeros_like(weights))
        return weights @ values, weights


def dot_attention(inp, wq, wk, wv):
    return DotProductAttention()(*project_qkv(inp, wq, wk, wv))


class SelfAttention(DotProductAttention):
    def __init__(self, d_in, d_k):
        super().__init__()
        for name in ("wk", "wv", "wq"):
            setattr(self, name, nn.Parameter(torch.eye(d_in, d_k) + 0.01 * torch.randn(d_in, d_k)))

    def forward(self, inp):
        return super().forward(*project_qkv(inp, self.wq, self.wk, self.wv))


class SmallLinear(nn.Linear):
    def reset_parameters(self):
        nn.init.normal_(self.weight, std=0.01)
        nn.init.zeros_(self.bias)


class TrainableAttention(DotProductAttention):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        widths = num_in_features, num_out_features
        self.add_module("Wv", SmallLinear(*widths))
        self.add_module("Wk", SmallLinear(*widths))
        self.add_module("Wq", SmallLinear(*widths))

    def forward(self, queries, keys, values):
        return super().forward(self.Wq(queries), self.Wk(keys), self.Wv(values))
