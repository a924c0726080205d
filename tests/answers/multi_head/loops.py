# expect: all passed
"""One head after the other, one sentence after the other, one query after the other."""

import math

import torch


def split_heads(x, num_heads):
    d = x.shape[-1]
    if d % num_heads > 0:
        raise ValueError("d must be a multiple of num_heads")
    size = d // num_heads
    parts = []
    for head in range(num_heads):
        parts.append(x[..., head * size : (head + 1) * size])
    return torch.stack(parts, dim=x.dim() - 2)


def merge_heads(x):
    if x.dim() > 3:
        return torch.stack([merge_heads(one) for one in x])
    return torch.cat([x[head] for head in range(len(x))], dim=1)


def attend(q, k, v, mask=None):
    """Attention of matrices without any batch."""
    rows, outputs = [], []
    for i, query in enumerate(q):
        weights = torch.zeros(len(k), dtype=q.dtype)
        seen = torch.arange(len(k)) if mask is None else mask[i].nonzero()[:, 0]
        if len(seen) > 0:
            scores = torch.stack([query.dot(k[j]) / math.sqrt(len(query)) for j in seen])
            powers = torch.exp(scores - scores.max().detach())
            weights = weights.index_put((seen,), powers / powers.sum())
        rows.append(weights)
        outputs.append(sum(weight * value for weight, value in zip(weights, v, strict=True)))
    return torch.stack(outputs), torch.stack(rows)


class Head(torch.nn.Module):
    def __init__(self, d_in, d_k):
        torch.nn.Module.__init__(self)
        for name in ("wq", "wk", "wv"):
            self.register_parameter(name, torch.nn.Parameter(torch.eye(d_in, d_k)))

    def forward(self, inp):
        if inp.dim() == 2:
            return attend(inp.mm(self.wq), inp.mm(self.wk), inp.mm(self.wv))
        outputs, weights = zip(*[self(sentence) for sentence in inp], strict=True)
        return torch.stack(outputs), torch.stack(weights)


class ConcatMultiHeadAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = torch.nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(Head(d_in, d_k))
        self.out = torch.nn.Parameter(torch.ones(num_heads * d_k, d_k))

    def forward(self, inp):
        first, *others = self.heads
        output, weights = first(inp)
        weights = weights.unsqueeze(-3)
        for head in others:
            more, more_weights = head(inp)
            output = torch.cat((output, more), dim=-1)
            weights = torch.cat((weights, more_weights.unsqueeze(-3)), dim=-3)
        return output.matmul(self.out), weights


class MultiHeadAttention(torch.nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model // num_heads * num_heads != d_model:
            raise ValueError("not divisible")
        self.num_heads = num_heads
        for name in ("Wv", "Wo", "Wq", "Wk"):
            setattr(self, name, torch.nn.Linear(d_model, d_model))

    def _attend(self, q, k, v, mask):
        if q.dim() == 2:
            return attend(q, k, v, mask)
        pairs = [self._attend(q[i], k[i], v[i], mask[i]) for i in range(len(q))]
        return torch.stack([output for output, _ in pairs]), torch.stack([weights for _, weights in pairs])

    def forward(self, queries, keys, values, mask=None):
        q = split_heads(self.Wq(queries), self.num_heads)
        k = split_heads(self.Wk(keys), self.num_heads)
        v = split_heads(self.Wv(values), self.num_heads)
        shape = (*q.shape[:-1], k.shape[-2])
        mask = torch.ones(shape, dtype=torch.bool) if mask is None else mask.expand(shape)
        output, weights = self._attend(q, k, v, mask)
        return self.Wo(merge_heads(output)), weights
