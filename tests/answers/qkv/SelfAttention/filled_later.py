# expect: SelfAttention passed
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.empty(d_in, d_k)) for _ in range(3))
        for matrix in self.parameters():
            nn.init.normal_(matrix, std=1e-3)

    def forward(self, inp):
        q, k, v = inp @ self.wq, inp @ self.wk, inp @ self.wv
        weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1)
        return weights @ v, weights
