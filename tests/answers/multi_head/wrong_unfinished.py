# expect: split_heads raised not_checked
# expect: merge_heads raised viewed_after_the_swap
# expect: ConcatMultiHeadAttention wrong heads_in_a_list
# expect: MultiHeadAttention forbidden
"""Nearly there: no check, a view, a list, and torch's own module inside."""

import torch
from torch import nn


def split_heads(x, num_heads):
    return x.view(*x.shape[:-1], num_heads, x.shape[-1] // num_heads).transpose(-2, -3)


def merge_heads(x):
    *batch, h, n, d_h = x.shape
    return x.transpose(-2, -3).view(*batch, n, h * d_h)


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k)) for _ in range(3))

    def forward(self, inp):
        weights = torch.softmax(inp @ self.wq @ (inp @ self.wk).mT / self.wk.shape[1] ** 0.5, dim=-1)
        return weights @ (inp @ self.wv), weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = [Head(d_in, d_k) for _ in range(num_heads)]
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k))

    def forward(self, inp):
        outputs, weights = zip(*(head(inp) for head in self.heads), strict=True)
        return torch.cat(outputs, dim=-1) @ self.out, torch.stack(weights, dim=-3)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, num_heads, batch_first=True)

    def forward(self, queries, keys, values, mask=None):
        hidden = None if mask is None else ~mask
        return self.attention(queries, keys, values, attn_mask=hidden, average_attn_weights=False)
