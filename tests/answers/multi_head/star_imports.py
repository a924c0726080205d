# expect: all passed
"""Stars, and torch.split, swapaxes, hstack and one big block matrix."""

from torch import *
from torch.nn import *
from builtins import *
from math import sqrt


class Head(Module):
    def __init__(self, a, b):
        super().__init__()
        self.wq = Parameter(randn(a, b))
        self.wk = Parameter(randn(a, b))
        self.wv = Parameter(randn(a, b))

    def forward(self, x):
        w = softmax(x @ self.wq @ (x @ self.wk).swapaxes(-1, -2) / self.wq.shape[1] ** 0.5, -1)
        return w @ x @ self.wv, w


class ConcatMultiHeadAttention(Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = ModuleList(Head(d_in, d_k) for _ in range(num_heads))
        self.out = Parameter(randn(num_heads * d_k, d_k))

    def forward(self, x):
        q, k, v = (stack([getattr(h, n) for h in self.heads]) for n in ("wq", "wk", "wv"))
        x = x.unsqueeze(-3)
        w = softmax((x @ q) @ (x @ k).mT / q.shape[-1] ** 0.5, -1)
        return cat((w @ (x @ v)).unbind(-3), -1) @ self.out, w


def split_heads(x, num_heads):
    *front, n, d = x.shape
    if d % num_heads != 0:
        raise ValueError
    return x.reshape(*front, n, num_heads, d // num_heads).swapaxes(-3, -2)


def merge_heads(x):
    *front, h, n, d = x.shape
    return x.swapaxes(-3, -2).reshape(*front, n, h * d)


class MultiHeadAttention(Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model // num_heads * num_heads < d_model:
            raise ValueError("no")
        self.Wq, self.Wk, self.Wv, self.Wo = [Linear(d_model, d_model) for _ in range(4)]
        self.num_heads = num_heads

    def forward(self, q, k, v, mask=None):
        q, k, v = [split_heads(f(x), self.num_heads) for f, x in ((self.Wq, q), (self.Wk, k), (self.Wv, v))]
        s = q @ k.mT / sqrt(q.shape[-1])
        if mask is not None:
            s = where(mask, s, full_like(s, -1e36))
        w = softmax(s, -1)
        w = w if mask is None else w * mask
        return self.Wo(merge_heads(w @ v)), w
