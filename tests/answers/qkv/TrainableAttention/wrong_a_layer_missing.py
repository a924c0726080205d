# expect: TrainableAttention wrong
# plain: its attribute Wq.weight has shape (4, 2), expected (2, 2)
"""Two layers, twice as wide."""

import torch
from torch import nn


class TrainableAttention(nn.Module):
    def __init__(self, d_in=300, d_out=256):
        super().__init__()
        self.Wq, self.Wk = (nn.Linear(d_in, 2 * d_out) for _ in range(2))

    def forward(self, queries, keys, values):
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wk(values)
        weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
        return weights @ v, weights
