# expect: MultiHeadAttention wrong
# plain: for output, expected
"""All heads read the values of the first."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        w = q.shape[-1] // self.num_heads
        outputs, weights = [], []
        for h in range(self.num_heads):
            part = slice(h * w, (h + 1) * w)
            s = q[..., part] @ k[..., part].transpose(-1, -2) / w**0.5
            if mask is not None:
                s = s.masked_fill(~mask, -1e30)
            weights.append(s.softmax(-1))
            outputs.append(weights[-1] @ v[..., :w])
        return self.Wo(torch.cat(outputs, -1)), torch.stack(weights, -3)
