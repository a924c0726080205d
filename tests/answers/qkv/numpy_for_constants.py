# expect: all passed
"""NumPy makes what needs no gradient: the scale, the maxima, the masks, the first numbers; data moved by .data."""

import numpy as np
import torch
from torch import nn


def project_qkv(inp, wq, wk, wv):
    return inp @ wq, inp @ wk, inp @ wv


def soft(scores):
    top = torch.from_numpy(np.array(scores.detach().numpy().max(axis=-1, keepdims=True)))
    powers = torch.exp(scores - top)
    return powers / powers.sum(-1, keepdim=True)


def attend(q, k, v, mask=None):
    scores = q @ torch.transpose(k, -1, -2) / float(np.sqrt(q.shape[-1]))
    if mask is None:
        weights = soft(scores)
    else:
        seen = torch.from_numpy(np.broadcast_to(mask.numpy(), tuple(scores.shape)).copy())
        weights = soft(scores.masked_fill(~seen, -1e30)) * seen
    return weights @ v, weights


def dot_attention(inp, wq, wk, wv):
    return attend(*project_qkv(inp, wq, wk, wv))


class DotProductAttention(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, queries, keys, values, mask=None):
        return attend(queries, keys, values, mask)


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        random = np.random.default_rng()
        for name in "wq wk wv".split():
            setattr(self, name, nn.Parameter(torch.empty(d_in, d_k)))
            getattr(self, name).data = torch.from_numpy(random.normal(size=(d_in, d_k)).astype(np.float32))

    def forward(self, inp):
        return dot_attention(inp, self.wq, self.wk, self.wv)


class TrainableAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        for name in "Wq Wk Wv".split():
            layer = nn.Linear(num_in_features, num_out_features)
            layer.weight.data.normal_(0, 0.1)
            layer.bias.data.fill_(0.0)
            setattr(self, name, layer)

    def forward(self, queries, keys, values):
        return attend(self.Wq(queries), self.Wk(keys), self.Wv(values))
