# expect: project_qkv passed
# expect: dot_attention raised first_and_last_axis_swapped
# expect: DotProductAttention wrong
# expect: SelfAttention wrong
# expect: TrainableAttention wrong weights_in_a_python_list
"""The layer as the seed notebook had it: a transpose for one sentence, plain tensors, nothing scaled."""

import torch
from torch import nn


def project_qkv(inp, wq, wk, wv):
    return inp @ wq, inp @ wk, inp @ wv


def dot_attention(inp, wq, wk, wv):
    q, k, v = project_qkv(inp, wq, wk, wv)
    weights = torch.softmax(q @ k.transpose(0, -1) / k.shape[-1] ** 0.5, dim=-1)
    return weights @ v, weights


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        scores = queries @ keys.transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = torch.softmax(scores, dim=-1)
        return weights @ values, weights


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = torch.rand(3, d_in, d_k)

    def forward(self, inp):
        q, k, v = inp @ self.wq, inp @ self.wk, inp @ self.wv
        weights = torch.softmax(q @ k.transpose(0, -1), dim=-1)
        return weights @ v, weights


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.layers = [nn.Linear(num_in_features, num_out_features) for _ in range(3)]

    def forward(self, queries, keys, values):
        q, k, v = (layer(x) for layer, x in zip(self.layers, (queries, keys, values), strict=True))
        weights = torch.softmax(q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5, dim=-1)
        return weights @ v, weights
