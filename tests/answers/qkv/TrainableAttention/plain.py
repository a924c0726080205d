# expect: TrainableAttention passed
"""Three layers made in one line."""

import torch
from torch import nn


class TrainableAttention(nn.Module):
    def __init__(self, d_in=300, d_out=256):
        super().__init__()
        self.Wq, self.Wk, self.Wv = (nn.Linear(d_in, d_out) for _ in range(3))

    def forward(self, queries, keys, values):
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
        return weights @ v, weights
