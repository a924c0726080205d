# expect: all passed
"""Everything flattened to three axes for `bmm`; F.linear; an additive mask of large negative numbers; extra buffers."""

import torch
import torch.nn.functional as F
from torch import nn


def split_heads(x, num_heads):
    *batch, n, d = x.shape
    if d % num_heads:
        raise ValueError(num_heads)
    y = x.contiguous().view(-1, n, num_heads, d // num_heads).permute(0, 2, 1, 3).contiguous()
    return y.view(*batch, num_heads, n, d // num_heads)


def merge_heads(x):
    *batch, h, n, d_h = x.shape
    return x.contiguous().view(-1, h, n, d_h).transpose(1, 2).contiguous().view(*batch, n, h * d_h)


def _attention(q, k, v, bias=None):
    """Tensors of three axes."""
    scores = torch.bmm(q, k.mT).div(k.shape[2] ** 0.5)
    if bias is not None:
        scores = scores + bias
    weights = F.softmax(scores, dim=2)
    return weights, lambda w: torch.bmm(w, v)


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))
        self.wq = nn.Parameter(torch.rand(d_in, d_k))
        self.wk = nn.Parameter(torch.rand(d_in, d_k))
        self.wv = nn.Parameter(torch.rand(d_in, d_k))

    def forward(self, inp):
        self.calls += 1
        *batch, n, d = inp.shape
        flat = inp.reshape(-1, n, d)
        q, k, v = (F.linear(flat, w.t()) for w in (self.wq, self.wk, self.wv))
        weights, mix = _attention(q, k, v)
        return mix(weights).view(*batch, n, -1), weights.view(*batch, n, n)


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.d_k = d_k
        self.heads = nn.ModuleList([Head(d_in, d_k) for _ in range(num_heads)])
        self.out = nn.Parameter(torch.rand(num_heads * d_k, d_k) * 0.1)

    def forward(self, inp):
        results = [head(inp) for head in self.heads]
        # Concatenating and multiplying is the sum of each head times its own rows of the matrix.
        blocks = self.out.split(self.d_k)
        output = sum(result[0] @ block for result, block in zip(results, blocks, strict=True))
        return output, torch.stack(tuple(result[1] for result in results)).movedim(0, -3)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model")
        self.h = num_heads
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.Wv = nn.Linear(d_model, d_model)
        self.Wo = nn.Linear(d_model, d_model)
        for layer in (self.Wq, self.Wk, self.Wv, self.Wo):
            nn.init.orthogonal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, queries, keys, values, mask=None):
        *batch, n_q, d = queries.shape
        n_k = keys.shape[-2]
        q, k, v = (
            split_heads(F.linear(x, layer.weight, layer.bias), self.h).reshape(-1, x.shape[-2], d // self.h)
            for x, layer in ((queries, self.Wq), (keys, self.Wk), (values, self.Wv))
        )
        allowed = torch.ones(*batch, self.h, n_q, n_k, dtype=torch.bool)
        if mask is not None:
            allowed = allowed & mask
        allowed = allowed.reshape(-1, n_q, n_k)
        weights, mix = _attention(q, k, v, (~allowed).to(q.dtype) * -1e9)
        weights = weights * allowed
        output = mix(weights).view(*batch, self.h, n_q, d // self.h)
        return self.Wo(merge_heads(output)), weights.view(*batch, self.h, n_q, n_k)
