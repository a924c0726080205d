# expect: SelfAttention wrong no_maximum_subtracted
# expect: TrainableAttention wrong scaled_after_softmax
# expect: DotProductAttention wrong one_sum_for_everything
"""Softmax by hand: without the maximum, with the root behind it, and with one sum for all."""

import torch
from torch import nn


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        scores = torch.einsum("...qd,...kd->...qk", queries, keys) / queries.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), -1e30)
        weights = torch.exp(scores - scores.max())
        weights = weights / weights.sum()
        if mask is not None:
            weights = weights * mask
        return weights @ values, weights


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        for name in ("wv", "wk", "wq"):
            self.register_parameter(name, nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_in, d_k))))

    def forward(self, inp):
        q, k, v = (inp @ torch.cat([self.wq, self.wk, self.wv], dim=1)).chunk(3, dim=-1)
        powers = torch.exp((q @ k.mT) / q.shape[-1] ** 0.5)
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return weights @ v, weights


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq, self.Wk, self.Wv = (nn.Linear(num_in_features, num_out_features) for _ in range(3))

    def forward(self, queries, keys, values):
        q, k = self.Wq(queries), self.Wk(keys)
        weights = (q @ k.mT).softmax(dim=-1) / k.shape[-1] ** 0.5
        return weights @ self.Wv(values), weights
