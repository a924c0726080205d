# expect: all passed
# ruff: noqa: UP008
"""Query by query and key by key, on one sentence at a time; classes as they were written once."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def project(inp, w):
    rows = [sum(token[i] * w[i] for i in range(len(w))) for token in inp.reshape(-1, inp.shape[-1])]
    return torch.stack(rows).reshape(*inp.shape[:-1], w.shape[-1])


def project_qkv(inp, wq, wk, wv):
    return [project(inp, wq), project(inp, wk), project(inp, wv)]


def one_sentence(queries, keys, values, seen):
    outputs, matrix = [], []
    for query, row in zip(queries, seen, strict=True):
        scores = [torch.dot(query, key) / math.sqrt(len(key)) for key in keys]
        allowed = [j for j in range(len(keys)) if row[j]]
        weights = [torch.zeros_like(scores[0])] * len(keys)
        if allowed:
            for j, weight in zip(allowed, F.softmax(torch.stack([scores[j] for j in allowed]), dim=0), strict=True):
                weights[j] = weight
        outputs.append(sum(weight * value for weight, value in zip(weights, values, strict=True)))
        matrix.append(torch.stack(weights))
    return torch.stack(outputs), torch.stack(matrix)


def attention(queries, keys, values, mask=None):
    *batch, n_q, _ = queries.shape
    n_k = keys.shape[-2]
    seen = torch.ones(n_q, n_k, dtype=torch.bool) if mask is None else mask
    seen = seen.expand(*batch, n_q, n_k).reshape(-1, n_q, n_k)
    sentences = [part.reshape(-1, *part.shape[-2:]) for part in (queries, keys, values)]
    outputs, matrices = zip(*[one_sentence(*parts) for parts in zip(*sentences, seen, strict=True)], strict=True)
    return torch.stack(outputs).reshape(*batch, n_q, -1), torch.stack(matrices).reshape(*batch, n_q, n_k)


def dot_attention(inp, wq, wk, wv):
    q, k, v = project_qkv(inp, wq, wk, wv)
    return attention(q, k, v)


class DotProductAttention(nn.Module):
    def __init__(self):
        super(DotProductAttention, self).__init__()

    def forward(self, queries, keys, values, mask=None):
        return attention(queries, keys, values, mask)


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super(SelfAttention, self).__init__()
        for name in ("wv", "wq", "wk"):
            self.register_parameter(name, nn.Parameter(torch.ones(d_in, d_k)))

    def forward(self, inp):
        return dot_attention(inp, self.wq, self.wk, self.wv)


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super(TrainableAttention, self).__init__()
        for name in "vqk":
            setattr(self, "W" + name, nn.Linear(num_in_features, num_out_features))

    def forward(self, queries, keys, values):
        return attention(
            F.linear(queries, self.Wq.weight, self.Wq.bias),
            F.linear(keys, self.Wk.weight, self.Wk.bias),
            F.linear(values, self.Wv.weight, self.Wv.bias),
        )
