# expect: all passed
"""Heads come from generators of slices; the softmax is written out."""

import torch
from torch import nn


def soft(scores, seen=None):
    top = scores if seen is None else scores.masked_fill(~seen, -1e38)
    powers = torch.exp(scores - top.amax(-1, keepdim=True).detach().clamp(min=-1e38))
    if seen is not None:
        powers = torch.where(seen, torch.exp(top - top.amax(-1, keepdim=True).detach()), 0.0)
    total = powers.sum(-1, keepdim=True)
    return powers / total.masked_fill(total == 0, 1)


def slices(width, number):
    step, rest = divmod(width, number)
    if rest:
        raise ValueError(rest)
    for start in range(0, width, step):
        yield slice(start, start + step)


class Head(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq = nn.Parameter(nn.init.xavier_normal_(torch.empty(d_in, d_k)))
        self.wk = nn.Parameter(nn.init.xavier_normal_(torch.empty(d_in, d_k)))
        self.wv = nn.Parameter(nn.init.xavier_normal_(torch.empty(d_in, d_k)))

    def forward(self, inp):
        q, k, v = inp @ self.wq, inp @ self.wk, inp @ self.wv
        weights = soft(q @ k.transpose(-1, -2) * k.shape[-1] ** -0.5)
        return weights @ v, weights


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(map(lambda _: Head(d_in, d_k), range(num_heads)))
        self.out = nn.Parameter(nn.init.xavier_normal_(torch.empty(num_heads * d_k, d_k)))

    def forward(self, inp):
        outputs, weights = [], []
        for output, weight in (head(inp) for head in self.heads):
            outputs.append(output)
            weights.append(weight.unsqueeze(-3))
        return torch.cat(outputs, dim=-1).matmul(self.out), torch.cat(weights, dim=-3)


def split_heads(x, num_heads):
    return torch.stack([x[..., part] for part in slices(x.shape[-1], num_heads)], -3)


def merge_heads(x):
    return torch.cat([x[..., head, :, :] for head in range(x.shape[-3])], -1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.parts = list(slices(d_model, num_heads))
        self.Wq, self.Wk = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wv, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def forward(self, queries, keys, values, mask=None):
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        shape = (*q.shape[:-2], len(self.parts), q.shape[-2], k.shape[-2])
        seen = None if mask is None else torch.broadcast_to(mask, shape)

        def heads():
            for i, part in enumerate(self.parts):
                scores = q[..., part] @ k[..., part].mT / (part.stop - part.start) ** 0.5
                yield part, soft(scores, None if seen is None else seen[..., i, :, :])

        output, weights = self.Wo.bias, []
        for part, weight in heads():
            output = output + (weight @ v[..., part]) @ self.Wo.weight[:, part].T
            weights.append(weight)
        return output, torch.stack(weights, -3)
