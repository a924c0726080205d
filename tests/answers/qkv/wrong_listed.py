# expect: project_qkv wrong result_detached
# expect: dot_attention wrong scaled_by_the_token_dimension
# expect: DotProductAttention wrong nan_for_fully_masked_rows
# expect: SelfAttention wrong not_scaled
# expect: TrainableAttention wrong softmax_over_the_queries
"""Mistakes that are listed, in another style and with the weights made in another order."""

import torch
from torch import nn


@torch.no_grad()
def project_qkv(inp, wq, wk, wv):
    return [torch.einsum("...i,ij->...j", inp, w) for w in (wq, wk, wv)]


def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    weights = torch.einsum("...id,...jd->...ij", q * inp.shape[-1] ** -0.5, k).softmax(-1)
    return [weights @ v, weights]


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        scores = torch.einsum("...id,...jd->...ij", queries, keys) * keys.shape[-1] ** -0.5
        weights = (scores if mask is None else scores.where(mask, torch.tensor(float("-inf")))).softmax(-1)
        return [torch.einsum("...ij,...jd->...id", weights, values), weights]


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        for name in ("wv", "wk", "wq"):
            self.register_parameter(name, nn.Parameter(torch.rand(d_in, d_k)))

    def forward(self, inp):
        weights = torch.einsum("...id,...jd->...ij", inp @ self.wq, inp @ self.wk).softmax(-1)
        return [torch.einsum("...ij,...jd->...id", weights, inp @ self.wv), weights]


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        for name in ("Wv", "Wk", "Wq"):
            setattr(self, name, nn.Linear(num_in_features, num_out_features))

    def forward(self, queries, keys, values):
        scores = torch.einsum("...id,...jd->...ij", self.Wq(queries), self.Wk(keys))
        weights = scores.div(self.Wq.out_features**0.5).softmax(-2)
        return [torch.einsum("...ij,...jd->...id", weights, self.Wv(values)), weights]
