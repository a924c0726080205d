# expect: all passed
"""All batch axes folded into one for `bmm`, a large negative number for what is hidden, lists for tuples."""

import torch


def _fold(x):
    return x.reshape(-1, x.shape[-2], x.shape[-1])


def _attend(q, k, v, mask=None):
    lead, n_q, n_k = q.shape[:-2], q.shape[-2], k.shape[-2]
    scores = torch.bmm(_fold(q), _fold(k).mT) / torch.sqrt(torch.tensor(q.shape[-1], dtype=q.dtype))
    if mask is not None:
        mask = _fold(mask.broadcast_to(*lead, n_q, n_k))
        scores[mask == 0] = -1e9
    weights = torch.nn.functional.softmax(scores, dim=2)
    if mask is not None:
        weights = weights * mask.any(dim=-1, keepdim=True)
    output = torch.bmm(weights, _fold(v))
    return [output.view(*lead, n_q, v.shape[-1]), weights.view(*lead, n_q, n_k)]


def project_qkv(x, a, b, c):
    q = torch.matmul(x, a)
    k = torch.matmul(x, b)
    v = torch.matmul(x, c)
    return [q, k, v]


def dot_attention(x, a, b, c):
    return _attend(*project_qkv(x, a, b, c))


class DotProductAttention(torch.nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, q, k, v, m=None):
        return _attend(q, k, v, m)


class SelfAttention(torch.nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.width, self.inner = width, inner
        self.wk = torch.nn.Parameter(torch.empty(width, inner).normal_(std=0.02))
        self.wv = torch.nn.Parameter(torch.empty(width, inner).normal_(std=0.02))
        self.wq = torch.nn.Parameter(torch.empty(width, inner).normal_(std=0.02))

    def forward(self, x):
        return dot_attention(x, self.wq, self.wk, self.wv)


class TrainableAttention(torch.nn.Module):
    def __init__(self, a=300, b=256):
        super().__init__()
        self.attend = DotProductAttention()
        self.Wk = torch.nn.Linear(a, b)
        self.Wq = torch.nn.Linear(a, b)
        self.Wv = torch.nn.Linear(a, b)

    def forward(self, q, k, v):
        output, weights = self.attend(self.Wq(q), self.Wk(k), self.Wv(v))
        return [output, weights]
