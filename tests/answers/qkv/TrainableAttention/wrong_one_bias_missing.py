# expect: TrainableAttention wrong
# plain: was created without Wk.bias
"""The keys have no bias."""

import torch
from torch import nn


class TrainableAttention(nn.Module):
    def __init__(self, d_in=300, d_out=256):
        super().__init__()
        self.Wq, self.Wv = (nn.Linear(d_in, d_out) for _ in range(2))
        self.Wk = nn.Linear(d_in, d_out, bias=False)

    def forward(self, queries, keys, values):
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
        return weights @ v, weights
