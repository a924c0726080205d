# expect: SelfAttention wrong
# plain: The result is almost correct
import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.rand(d_in, d_k) - 0.5) for _ in range(3))

    def forward(self, inp):
        q, k, v = inp @ self.wq, inp @ self.wk, inp @ self.wv
        scores = q @ k.mT / math.sqrt(k.shape[-1])
        exponentials = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
        weights = exponentials / (exponentials.sum(dim=-1, keepdim=True) + 1e-7)
        return weights @ v, weights
