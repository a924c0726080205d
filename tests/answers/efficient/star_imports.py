# expect: all passed
"""Stars; a cache of tuples; blocks of one key; the state as one matrix with a column of ones."""

from torch import *
from torch.nn import *
from torch.nn.functional import elu, pad
from builtins import *
from math import sqrt


class KeyValueCache:
    past = ()

    def __init__(self):
        pass

    def append(self, k, v):
        self.past = (cat((self.past[0], k), -2), cat((self.past[1], v), -2)) if self.past else (k, v)
        return self.past


class GroupedQueryAttention(Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.h, self.kv, self.w = num_heads, num_kv_heads, d_model // num_heads
        self.Wq = Linear(d_model, num_heads * self.w)
        self.Wk = Linear(d_model, num_kv_heads * self.w)
        self.Wv = Linear(d_model, num_kv_heads * self.w)
        self.Wo = Linear(num_heads * self.w, d_model)

    def forward(self, queries, keys, values, mask=None):
        at = arange(self.h) // (self.h // self.kv)
        q = self.Wq(queries).unflatten(-1, (self.h, -1)).movedim(-2, -3)
        k = self.Wk(keys).unflatten(-1, (self.kv, -1)).movedim(-2, -3)[..., at, :, :]
        v = self.Wv(values).unflatten(-1, (self.kv, -1)).movedim(-2, -3)[..., at, :, :]
        s = q @ k.mT / sqrt(self.w)
        if mask is not None:
            s = s + where(mask, 0.0, -1e30).to(s.dtype)
        w = softmax(s, -1)
        return self.Wo((w @ v).movedim(-3, -2).flatten(-2)), w


def sliding_window_mask(n, window):
    return logical_xor(tril(ones(n, n)), tril(ones(n, n), -window)).bool()


def online_softmax_attention(q, k, v, block_size):
    # Two sums over blocks: first the largest score of each query, then powers and what they mix.
    root = sqrt(q.shape[-1])
    top = full((*q.shape[:-1], 1), -inf, dtype=q.dtype)
    for keys in k.split(block_size, -2):
        top = maximum(top, (q @ keys.mT / root).amax(-1, True))
    above, below = 0, 0
    for keys, values in zip(k.split(block_size, -2), v.split(block_size, -2)):
        p = exp(q @ keys.mT / root - top)
        above, below = above + p @ values, below + p.sum(-1, True)
    return above / below


def linear_attention(queries, keys, values, state=None):
    q, k, v = elu(queries) + 1, elu(keys) + 1, pad(values, (0, 1), value=1.0)
    M = k[..., :0, :].mT @ v[..., :0, :] if state is None else cat((state[0], state[1].unsqueeze(-1)), -1)
    out = []
    for i in range(q.shape[-2]):
        M = M + k[..., i : i + 1, :].mT @ v[..., i : i + 1, :]
        o = q[..., i : i + 1, :] @ M
        out.append(o[..., :-1] / o[..., -1:])
    return cat(out, -2), (M[..., :-1], M[..., -1])
