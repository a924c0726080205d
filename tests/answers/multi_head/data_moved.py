# expect: all passed
"""Weights are moved by .data, NumPy makes them, as_strided-free views, permute with lists."""

import numpy as np
import torch
from torch import nn


def random_parameter(*shape):
    parameter = nn.Parameter(torch.zeros(shape))
    parameter.data = torch.tensor(np.random.standard_normal(shape) / np.sqrt(shape[0]), dtype=torch.float32)
    return parameter


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq = random_parameter(d_in, d_k)
        self.wk = random_parameter(d_in, d_k)
        self.wv = random_parameter(d_in, d_k)

    def forward(self, inp):
        d = np.sqrt(self.wq.shape[1])
        weights = nn.functional.softmax(inp.matmul(self.wq).matmul(inp.matmul(self.wk).transpose(-2, -1)) / d, dim=-1)
        return weights.matmul(inp.matmul(self.wv)), weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList()
        self.heads.extend(Head(d_in, d_k) for _ in range(num_heads))
        self.out = random_parameter(num_heads * d_k, d_k)

    def forward(self, inp):
        outputs = []
        weights = torch.empty(*inp.shape[:-2], len(self.heads), inp.shape[-2], inp.shape[-2], dtype=inp.dtype)
        for i, head in enumerate(self.heads):
            output, weights[..., i, :, :] = head(inp)
            outputs.append(output)
        return torch.cat(outputs, -1) @ self.out, weights.data


def split_heads(x, num_heads):
    d_h = x.shape[-1] / num_heads
    if d_h != int(d_h):
        raise ValueError("whole numbers only")
    axes = list(range(x.ndim + 1))
    axes[-2], axes[-3] = axes[-3], axes[-2]
    return x.reshape(list(x.shape[:-1]) + [num_heads, int(d_h)]).permute(axes)


def merge_heads(x):
    axes = list(range(x.ndim))
    axes[-2], axes[-3] = axes[-3], axes[-2]
    return x.permute(axes).contiguous().view(*x.shape[:-3], x.shape[-2], -1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError()
        self.num_heads = num_heads
        for name in ("Wq", "Wk", "Wv", "Wo"):
            linear = nn.Linear(d_model, d_model)
            linear.weight.data.copy_(torch.from_numpy(np.random.randn(d_model, d_model)) * 0.1)
            linear.bias.data.zero_()
            self.add_module(name, linear)

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.Wq(queries), self.Wk(keys), self.Wv(values)))
        scores = q @ k.transpose(-2, -1) / float(np.sqrt(q.shape[-1]))
        if mask is not None:
            scores[~mask.expand_as(scores)] = -1e30
        weights = torch.softmax(scores, -1)
        if mask is not None:
            weights = weights * mask.expand_as(weights).to(weights)
        return self.Wo(merge_heads(weights @ v)), weights.data
