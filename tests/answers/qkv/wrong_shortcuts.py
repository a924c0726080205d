# expect: project_qkv wrong not_returned
# expect: dot_attention forbidden
# expect: DotProductAttention forbidden
# expect: SelfAttention forbidden
# expect: TrainableAttention forbidden
# ruff: noqa: F841
"""What PyTorch has ready-made, in four disguises."""

import torch
import torch.nn.functional as F
from torch import nn


def project_qkv(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv


def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1)
    return F.scaled_dot_product_attention(q, k, v), weights


class DotProductAttention(nn.Module):
    attend = staticmethod(getattr(torch.nn.functional, "scaled_dot_" + "product_attention"))

    def forward(self, queries, keys, values, mask=None):
        weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
        return self.attend(queries, keys, values, attn_mask=mask), weights


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.inner = nn.MultiheadAttention(d_in, 1)

    def forward(self, inp):
        return self.inner(inp, inp, inp)


ready = DotProductAttention()


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq, self.Wk, self.Wv = (nn.Linear(num_in_features, num_out_features) for _ in range(3))

    def forward(self, queries, keys, values):
        return ready(self.Wq(queries), self.Wk(keys), self.Wv(values))
