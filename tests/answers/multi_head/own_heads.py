# expect: all passed
"""Dictionaries of parameters stacked to one tensor for all heads, and the large module as a loop over heads."""

import torch
from torch import nn


def split_heads(tokens, number):
    *batch, n, d = tokens.shape
    if d % number:
        raise ValueError(f"{d} / {number}")
    # Head by head the columns are moved to the front with an index.
    columns = torch.arange(d).reshape(number, 1, d // number).expand(number, n, d // number)
    return tokens.unsqueeze(-3).expand(*batch, number, n, d).gather(-1, columns.expand(*batch, -1, -1, -1))


def merge_heads(parts):
    swapped = parts.swapaxes(-2, -3)
    return swapped.reshape((*swapped.shape[:-2], -1))


def weigh(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
    powers = (scores - scores.amax(-1, keepdim=True)).exp()
    if mask is not None:
        powers = powers * mask
    return powers / powers.sum(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).tiny)


class Head(nn.ParameterDict):
    def __init__(self, d_in, d_k):
        super().__init__({name: torch.randn(d_in, d_k) for name in ("wq", "wk", "wv")})
        self.scale = d_k**-0.25

    def forward(self, inp):
        weights = weigh((inp @ self["wq"] * self.scale) @ (inp @ self["wk"] * self.scale).mT)
        return weights @ (inp @ self["wv"]), weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.out = nn.Parameter(torch.full((num_heads * d_k, d_k), 0.5))
        self.heads = nn.ModuleList([Head(d_in, d_k) for _ in range(num_heads)])

    def forward(self, inp):
        wq, wk, wv = (torch.stack([head[name] for head in self.heads]) for name in ("wq", "wk", "wv"))  # (h, d_in, d_k)
        inp = inp.unsqueeze(-3)  # all heads at once
        weights = weigh(inp @ wq @ (inp @ wk).transpose(-2, -1) / wk.shape[-1] ** 0.5)
        return merge_heads(weights @ (inp @ wv)) @ self.out, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        if d_model % num_heads:
            raise ValueError
        super().__init__()
        self.size = d_model // num_heads
        layers = {name: nn.Linear(d_model, d_model) for name in ("Wk", "Wq", "Wo", "Wv")}
        for name, layer in layers.items():
            self.add_module(name, layer)

    def forward(self, queries, keys, values, mask=None):
        outputs, weights = [], []
        batch = queries.shape[:-2]
        if mask is not None:
            number = self.Wq.out_features // self.size
            mask = mask.broadcast_to(*batch, number, queries.shape[-2], keys.shape[-2])
        wholes = self.Wq(queries), self.Wk(keys), self.Wv(values)
        for head, (q, k, v) in enumerate(zip(*(whole.split(self.size, -1) for whole in wholes), strict=True)):
            scores = q @ k.transpose(-2, -1) / torch.tensor(self.size, dtype=q.dtype).sqrt()
            weights.append(weigh(scores, None if mask is None else mask[..., head, :, :]))
            outputs.append(weights[-1] @ v)
        return self.Wo(torch.cat(outputs, -1)), torch.stack(weights, -3)
