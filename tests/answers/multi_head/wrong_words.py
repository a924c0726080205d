# expect: MultiHeadAttention wrong nan_for_fully_masked_rows
"""A refusal in words of its own, which must not hide the mistake: minus infinity in every place of a row."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads!")
        self.heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        pairs = (self.Wq, queries), (self.Wk, keys), (self.Wv, values)
        q, k, v = (torch.stack(layer(x).chunk(self.heads, dim=-1), dim=-3) for layer, x in pairs)
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            scores = torch.where(mask, scores, -torch.inf)
        weights = scores.softmax(dim=-1)
        return self.Wo(torch.cat((weights @ v).unbind(-3), dim=-1)), weights
