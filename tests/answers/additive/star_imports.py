# expect: all passed
"""Stars from torch and torch.nn; no bias anywhere."""

from torch import *
from torch.nn import *
from builtins import *
from math import sqrt


def additive_scores(q, k, ws):
    return einsum("...ijd,d->...ij", tanh(q[..., None, :] + k[..., None, :, :]), ws)


class AdditiveAttention(Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = Linear(num_in_features, num_out_features, bias=False)
        self.Wk = Linear(num_in_features, num_out_features, bias=False)
        self.Ws = Linear(num_out_features, 1, bias=False)

    def forward(self, q, k, v):
        w = softmax(additive_scores(self.Wq(q), self.Wk(k), self.Ws.weight.flatten()), dim=-1)
        return matmul(w, v), w
