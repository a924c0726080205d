# expect: all passed
"""Query heads as (key head, member of its group), so that no key is ever repeated."""

import torch
from torch import nn
from torch.nn import functional as F


def rotate(x, positions):
    pairs = x.unflatten(-1, (-1, 2))
    angles = positions.double()[:, None] / 10000.0 ** (torch.arange(pairs.shape[-2]).double() / pairs.shape[-2])
    cos, sin = angles.cos(), angles.sin()
    turns = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2).to(x.dtype)
    return torch.einsum("npij,...npj->...npi", turns, pairs).flatten(-2)


class LlamaBlock(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_hidden):
        if d_model % num_heads:
            raise ValueError("num_heads")
        if num_heads % num_kv_heads:
            raise ValueError("num_kv_heads")
        super().__init__()
        small = num_kv_heads * (d_model // num_heads)
        make = lambda out, given=d_model: nn.Linear(given, out, bias=False)
        self.Wq, self.Wk, self.Wv, self.Wo = make(d_model), make(small), make(small), make(d_model)
        self.gate, self.up, self.down = make(d_hidden), make(d_hidden), make(d_model, d_hidden)
        self.norm1 = nn.RMSNorm((d_model,), eps=1e-5)
        self.norm2 = nn.RMSNorm((d_model,), eps=1e-5)
        self.sizes = num_kv_heads, num_heads // num_kv_heads, d_model // num_heads

    def forward(self, x, mask=None, cache=None, start=0):
        g, r, d = self.sizes
        a = self.norm1(x)
        q = self.Wq(a).unflatten(-1, (g * r, d)).movedim(-2, -3)
        k = self.Wk(a).unflatten(-1, (g, d)).movedim(-2, -3)
        v = self.Wv(a).unflatten(-1, (g, d)).movedim(-2, -3)
        where = torch.arange(x.size(-2)) + start
        q, k = rotate(q, where), rotate(k, where)
        if cache is not None:
            k, v = cache.append(k, v)
        q = q.unflatten(-3, (g, r))
        s = torch.einsum("...grnd,...gmd->...grnm", q, k).flatten(-4, -3) / d**0.5
        if mask is not None:
            s = s.masked_fill(mask == False, torch.finfo(s.dtype).min)  # noqa: E712
        w = s.softmax(dim=-1)
        o = torch.einsum("...grnm,...gmd->...ngrd", w.unflatten(-3, (g, r)), v).flatten(-3)
        x = x + self.Wo(o)
        b = self.norm2(x)
        return x + self.down(self.up(b) * F.silu(self.gate(b))), w
