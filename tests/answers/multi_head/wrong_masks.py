# expect: split_heads wrong
# expect: merge_heads passed
# expect: ConcatMultiHeadAttention raised first_and_last_axis_swapped
# expect: MultiHeadAttention wrong
"""All about one batch axis: a ValueError that means something else, and masks that are squeezed into one form."""

import torch
from torch import nn


def split_heads(x, num_heads):
    b, n, d = x.shape if x.ndim == 3 else (1, *x.shape)
    if d % num_heads:
        raise ValueError("not divisible")
    return x.reshape(b, n, num_heads, -1).transpose(1, 2)


def merge_heads(x):
    return x.transpose(-3, -2).flatten(-2)


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k)) for _ in range(3))

    def forward(self, inp):
        weights = torch.softmax(inp @ self.wq @ (inp @ self.wk).transpose(0, -1) / self.wk.shape[1] ** 0.5, dim=-1)
        return weights @ (inp @ self.wv), weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k))

    def forward(self, inp):
        outputs, weights = zip(*(head(inp) for head in self.heads), strict=True)
        return torch.cat(outputs, dim=-1) @ self.out, torch.stack(weights, dim=-3)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)
            for layer, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        )
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is None:
            weights = scores.softmax(dim=-1)
        else:
            mask = mask.expand_as(scores)[..., :1, :, :]  # the mask of the first head for all heads
            weights = scores.masked_fill(~mask, -1e30).softmax(dim=-1) * mask
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights
