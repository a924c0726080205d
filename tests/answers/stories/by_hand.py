# expect: all passed
"""The norm, SiLU and softmax written out; one call of `rotate` for queries and keys together."""

import torch
from torch import nn


def rotate(x, positions):
    d = x.shape[-1]
    out = torch.empty_like(x)
    for i in range(d // 2):
        angle = positions.to(torch.float64) * 10000.0 ** (-2 * i / d)
        cos, sin = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
        out[..., 2 * i] = x[..., 2 * i] * cos - x[..., 2 * i + 1] * sin
        out[..., 2 * i + 1] = x[..., 2 * i] * sin + x[..., 2 * i + 1] * cos
    return out


def rms(x, norm):
    return x / torch.sqrt((x * x).mean(dim=-1, keepdim=True) + 1e-5) * norm.weight


def soft(scores):
    powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return powers / powers.sum(dim=-1, keepdim=True)


class LlamaBlock(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_hidden):
        super().__init__()
        width, rest = divmod(d_model, num_heads)
        self.group, more = divmod(num_heads, num_kv_heads)
        if rest or more:
            raise ValueError(f"sizes do not divide: {d_model}, {num_heads}, {num_kv_heads}")
        self.width = width
        for name, a, b in (
            ("Wq", d_model, d_model),
            ("Wk", d_model, width * num_kv_heads),
            ("Wv", d_model, width * num_kv_heads),
            ("Wo", d_model, d_model),
            ("gate", d_model, d_hidden),
            ("up", d_model, d_hidden),
            ("down", d_hidden, d_model),
        ):
            setattr(self, name, nn.Linear(a, b, bias=False))
        self.norm1, self.norm2 = nn.RMSNorm(d_model, 1e-5), nn.RMSNorm(d_model, eps=1e-5)

    def heads(self, x):
        return torch.stack(x.split(self.width, dim=-1), dim=-3)

    def forward(self, x, mask=None, cache=None, start=0):
        n = rms(x, self.norm1)
        q, k, v = self.heads(self.Wq(n)), self.heads(self.Wk(n)), self.heads(self.Wv(n))
        both = rotate(torch.cat([q, k], dim=-3), start + torch.arange(x.shape[-2]))
        q, k = both.split([q.shape[-3], k.shape[-3]], dim=-3)
        if cache is not None:
            k, v = cache.append(k, v)
        outs, tables = [], []
        for head in range(q.shape[-3]):
            own = head // self.group
            scores = q[..., head, :, :] @ k[..., own, :, :].mT * self.width**-0.5
            if mask is not None:
                shown = mask if mask.dim() < 3 else mask[..., head if mask.shape[-3] > 1 else 0, :, :]
                scores = scores.masked_fill(shown.logical_not(), float("-inf"))
            tables.append(soft(scores))
            outs.append(tables[-1] @ v[..., own, :, :])
        x = x + self.Wo(torch.cat(outs, dim=-1))
        n = rms(x, self.norm2)
        g = self.gate(n)
        return x + self.down(g * torch.sigmoid(g) * self.up(n)), torch.stack(tables, dim=-3)
