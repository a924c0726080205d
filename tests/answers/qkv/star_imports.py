# expect: all passed
"""Stars from torch and torch.nn, functional aliases, and lambdas as attributes."""

from torch import *
from torch.nn import *
from torch.nn.functional import linear, softmax
from builtins import *
from math import sqrt

project_qkv = lambda inp, wq, wk, wv: [linear(inp, w.t()) for w in (wq, wk, wv)]  # noqa: E731


def dot_attention(x, wq, wk, wv):
    q, k, v = project_qkv(x, wq, wk, wv)
    a = softmax(q @ swapaxes(k, -1, -2) / sqrt(k.shape[-1]), dim=-1)
    return a @ v, a


class DotProductAttention(Module):
    def forward(self, q, k, v, mask=None):
        s = q @ swapaxes(k, -1, -2) / sqrt(k.shape[-1])
        if mask is None:
            a = softmax(s, dim=-1)
        else:
            a = softmax(where(mask, s, tensor(-1e35, dtype=s.dtype)), dim=-1) * mask.any(-1, keepdim=True)
            a = a * mask
        return a @ v, a


class SelfAttention(Module):
    def __init__(self, d_in, d_k):
        super(SelfAttention, self).__init__()
        self.wq = Parameter(empty(d_in, d_k).uniform_(-0.3, 0.3))
        self.wk = Parameter(empty(d_in, d_k).uniform_(-0.3, 0.3))
        self.wv = Parameter(empty(d_in, d_k).uniform_(-0.3, 0.3))

    def forward(self, x):
        return dot_attention(x, self.wq, self.wk, self.wv)


class TrainableAttention(Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super(TrainableAttention, self).__init__()
        self.Wq = Linear(num_in_features, num_out_features)
        self.Wk = Linear(num_in_features, num_out_features)
        self.Wv = Linear(num_in_features, num_out_features)
        self.attend = DotProductAttention()

    def forward(self, q, k, v):
        return self.attend(self.Wq(q), self.Wk(k), self.Wv(v))
